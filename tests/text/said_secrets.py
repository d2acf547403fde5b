"""Invented secrets as people and programs write them, each between {braces}; `\\n` is a new line."""

SAID = [
    line.replace(r"\n", "\n")
    for line in r"""
the netflix password got changed again, it's {Marlin_58!} from today
wifi pass {tomate2020!}
our door pin: {4471}
Passwort: {Blumen123!}
login for the school portal - user mgarcia / pass {Cole2024*}
her icloud pw is {luna&sol99} dont lose it
remember: spotify → {v3ran0_azul}  (password)
the pwd of the old laptop remains {admin1234}
I use {Butterfly#7} as my password for basically everything
my bank password, {s4fePlace!22}, expires in may
the code to get in the building is {2580}
Safe combo: {12-45-33}
Alarm disarm code is {661199}
voicemail pin is {8842}
the PIN for my debit card is still {3306}
debit card pin {5512}, don't write it down
card ending 4242, cvv {319}
CVV {319} exp 09/28
security code on the back {884} of my visa
my social is {524-71-9083}
SSN {524719083}
ssn: {524-71-9083}
passport number {X1234567}
Passport no. {548120934}
account number {0012345678}, sort code 20-45-11
routing {021000021}
my number is {212-555-0147}
text me at {415-555-0199}
call Bob on {07911 123456}
contraseña del banco: {Girasol_22}
la contraseña nueva, la del portátil, es {N0via#bre}
la contra del insta de la tienda es {Floristeria22!}
mi contra de siempre: {pelusa_77}
la pass del netflix es {tioPepe33}
clave wifi: {QWERTY99X}
la clave del router quedó en {Cafe.con.leche9}
la clave sigue siendo {maruja55}
puse de clave {Rulo1990}
{Rulo1990!} es mi contraseña del homebanking
usuario: pepe clave: {casaverde8}
Usuario pepe, contraseña {casaverde8}
usuario pepe / clave {casaverde8}
el código del portal es {1379B}
el código del telefonillo es {4455}
mi pin del móvil es {190288}
PIN tarjeta: {6029}
el puk es {12345678}
mi dni es {12345678Z}
DNI {12345678-Z}
mi NIE: {X1234567L}
número de la seguridad social {281234567840}
el cvc de la visa es {402}
tarjeta {4111-1111-1111-1111} caduca 12/27
cuenta {ES91 2100 0418 4502 0005 1332}
mi número de cuenta es {2100 0418 45 0200051332}
a senha do wifi é {praia2023}
a senha do multibanco é {4590}
senha: {Verao@2024}
minha senha continua sendo {gato.preto7}
troquei a senha do email para {Sardinha#19}
palavra-passe: {Bacalhau_12}
a palavra-passe do portátil é {lisboa#1755}
{Feijoada99!} é a senha da Netflix
o código da porta é {2468}
código do alarme: {9182}
o pin do cartão é {7410}
CPF {529.982.247-25}
meu cpf é {52998224725}
o meu NIF é {123456789}
chave pix: {7f3c1b52-9a0e-4d1b-8c55-0a4f6d2e9b11}
le mot de passe du wifi est {Tournesol75}
mdp : {Croissant_44!}
mdp netflix {chouette#8}
mon mot de passe reste {marseille13}
j'ai changé le mot de passe, maintenant c'est {Br1oche!!}
{Pamplemousse7!} est mon mot de passe
le code de la porte est {4B19}
code portail {1968A}
digicode {A2467}
le code de l'immeuble : {75B02}
mon code de carte bleue est {6813}
le code pin de ma carte c'est {6813}
cryptogramme {288}
mon numéro de sécu {1 85 05 78 006 084 91}
clé wifi : {9F3A7C21BB}
la clé du wifi est {9F3A7C21BB}
identifiants : admin / {Chat0n!}
WLAN-Passwort lautet {Sommer2023!}
password della rete: {Pizza_99}
la password è {Pizza_99}
パスワード：{hunter2x}
パスワードは「{Sakura2024}」です
暗証番号は{4826}です
wifiパスワード {neko7777}
我的密码是{abc12345}
密码：{Qwe!2345}
登录密码 {p4ssw0rd99}
银行卡密码{482916}
비밀번호: {kimchi77}
API密钥：{a8f5f167f44f4964e6c998dee827110c}
Ｐａｓｓｗｏｒｄ：{Ｔｏｋｙｏ２０２４}
電話番号は{090-1234-5678}です
export TOKEN={d9c1e2ab44f04bc9}
SECRET_KEY = '{django-insecure-8x!k2@p0}'
JWT_SECRET={mysupersecretjwtkey}
POSTGRES_PASSWORD: {changeme}
  password: {tr0mbone}
db_pass: "{tr0mbone}"
"client_secret" : "{9sJf-83ks_22kdPqLmZ}"
api-key: {live-9f8e7d6c5b4a}
X-Api-Key: {9f8e7d6c5b4a3210}
Authorization: Token {9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b}
-H "Authorization: Bearer {mF_9.B5f-4.1JqM}"
curl -u admin:{hunter2} https://x.example
curl --user 'ana:{p4ss!}' https://x
sshpass -p '{Raspberry1}' ssh pi@10.0.0.4
mysql -u root -p{S3cr3tRoot} app
psql "host=db user=app password={w0mbat} dbname=x"
machine api.example.com login ana password {kjh23k4jh}
Server=db;User Id=sa;Password={P@ssw0rd!};
jdbc:mysql://h/db?user=root&password={toor99}
mongodb://ana:{gh72!k}@h1:27017,h2/db
smtp://mailer:{Zx81-spectrum}@smtp.example.com:587
https://example.com/reset?token={3f8a9b2c1d}
https://example.com/login/magic/{b1946ac92492d2347c6235b4d2611184}
https://us02web.zoom.us/j/8123456789?pwd={QWxtYXJpbzEyMw}
https://api.example.com/v1?key={AbC123dEf456GhI789}
https://acc.blob.core.windows.net/c/f?sv=2022-11-02&sig={aBcD%2F1234efGH%3D}
Cookie: sessionid={k3j9d8s7f6g5h4}; theme=dark
Set-Cookie: sid={s%3Aabc123def456.xyz}; HttpOnly
JSESSIONID={1A2B3C4D5E6F7890}
--token {abcd1234efgh5678}
--password {S0me_Pass}
seed: {legal winner thank year wave sausage worth useful legal winner thank yellow}
my 12 words are {legal winner thank year wave sausage worth useful legal winner thank yellow}
frase de recuperación: {legal winner thank year wave sausage worth useful legal winner thank yellow}
google app password {abcd efgh ijkl mnop}
app password: {abcd efgh ijkl mnop}
wordpress application password {AbCd 1234 eFgH 5678 iJkL 9012}
recovery codes: {8f3a-91bc} 77de-02aa
backup code {4821-9937}
2FA secret {JBSWY3DPEHPK3PXP}
otpauth://totp/x?secret={JBSWY3DPEHPK3PXP}&issuer=y
your verification code is {482913}
WhatsApp code {482-913}
wireguard PrivateKey = {yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=}
ana@example.com:{Perro.123}
ana@example.com / {Perro.123}
creds admin / {S3cret!}
the creds are admin:{S3cret!}
basic auth admin/{S3cret!}
root / {toor1234} on the NAS, password login
<add key="SmtpPassword" value="{xK9#mm}" />
the camera app wants a password and I gave it {Violet-Harbor92}
we never changed it, so the router password is whatever it was: {harbor.violet_21}
My Steam one, password wise, is {Kestrel!1955}
for the gym wifi ask at the desk or use {squat&press44} (that's the pw)
psswd: {q8W!zz}
pword for the printer is {Inkjet#3000}
Mum's email: mum@example.org, pass {Daisy1948!}
login ana.r / {N3bula-7}
user: ana.r pwd: {N3bula-7}
username=ana.r, password={N3bula-7}
Amazon\nana@example.com\n{Zebra_crossing4}
HBO - ana@example.com - {Zebra_crossing4}
the vault master password is "{correct horse battery staple}"
Master password: {Obsidian Falcon 77!}
disk encryption passphrase = {orbit-lantern-cactus-9}
zip password {beachHouse12}
the PDF opens with the password {14031985}
hotspot name Pixel_2231 password {k3ttle33}
SSID: FRITZ!Box 7590 AB, WPA2 key: {58213390117744526019}
wpa key {58213390117744526019}
network key is {A4C29F11D0}
hey the password's {tangerine8}
pw's {tangerine8}
dile que la contra es {Membrillo#12}
la contraseña esa que te dije: {Membrillo#12}
ponle {Membrillo#12} cuando te pida la contraseña
usuario admin, clave {higuera1962}
pass: {higuera1962}
acordate que la clave del Mercado Pago es {Alfajor_88}
che la clave de fibertel: {Alfajor_88}
cambié la clave del home banking, ahora es {Alfajor_88}
la nueva contraseña queda así: {Alfajor_88}
contraseña del ordenador: {perrito}
la clave de la tarjeta es {4421}
el PIN de mi madre es el {7753}
código alarma oficina: {889922}
combinación de la taquilla: {8-15-23}
código portal {2233}
el código que me ha llegado por SMS es {771 204}
tu código de verificación es {771204}
tarjeta del súper {5500 0000 0000 0004} cad 08/27
mi visa es la {4111.1111.1111.1111}
cvv de la visa {737}
el código de detrás es {737}
DNI 12.345.678-{Z}
mi hermano tiene el dni {87654321X}
NIE Y{2345678Z}
nº seg. social {28/12345678/40}
seguridad social: {28 1234567840}
pasaporte {AAB123456}
cuenta del casero {2100 0418 45 0200051332}
a minha palavra-passe do Portal das Finanças é {Azulejo_31}
senha do iFood: {brigadeiro9!}
a senha nova do roteador ficou {brigadeiro9!}
anota aí a senha: {brigadeiro9!}
minha senha de sempre, {brigadeiro9!}, não funciona
esqueci mas acho que a senha era {brigadeiro9!}
o pin do telemóvel é {2580}
o código do cofre do hotel é {9090}
cartão {5555 5555 5555 4444} cvv 321
meu CPF: {111.444.777-35}
NIF {245 123 456}
le mot de passe de la box : {Marmotte_38}
mot de passe Netflix = {Marmotte_38}
le mdp a changé, c'est {Marmotte_38} maintenant
le nouveau mdp du drive est toujours {Marmotte_38}
mot de passe « {Marmotte_38} »
mon code secret est {8315}
code de la carte bleue : {8315}
le code du portail c'est {1357A}
digicode de chez mamie : {B2041}
le code d'entrée est le {48215}
sécu {2 69 05 49 588 157 80}
carte {4970 1000 0000 0055}
IBAN {FR76 3000 6000 0112 3456 7890 189}
Gate code at the cottage: {C1973}
elevator code {4410*}
the kids' iPad passcode: {147258}
my bank's phone password is {marigold}
debit pin: {0915}
atm pin {0915}
sim puk {55120934}
backup codes for GitHub: {a1b2c-3d4e5} f6g7h-8i9j0
Google backup code {4821 9937}
one of my backup codes: {9937 4821}
SSN on file: {219-09-9999}
social security number {219 09 9999}
my driver's license number is {D1234567}
EIN / tax id {12-3456789}
sort code 20-00-00 account {55779911}
routing number {011401533}
bank account number is {000123456789}
NHS number {943 476 5919}
NINO {QQ123456C}
national insurance number {QQ 12 34 56 C}
phone: {(555) 010-4477}
cell {555.010.4477}
my mobile is {0412 345 678}
tel. {91 234 56 78}
móvil de papá {699 123 456}
whatsapp de la fontanera: {611223344}
mi cel es {55 1234 5678}
celular {11 98765-4321}
meu número é {(11) 98765-4321}
telemóvel {912 345 678}
mon portable : {06.12.34.56.78}
appelle le {01 42 68 53 00}
携帯は{080-1234-5678}
手机号{13800138000}
パスワード {Fuji-3776}
パスワードを{Fuji3776}に変更しました
暗証番号：{１２３４}
Wi-Fiのパスワード「{umi_sora88}」
密码是 {Dragon2020}
WiFi密码:{88888888}
支付密码是{135790}
验证码 {482913}
登录口令 {tian-an9}
账号admin 密码{adm1n@2024}
cohere key {hT9vXq2LmZ8rKp4WnYb7CdEf3GjSaQ1uPoIxVwBt}
mistral: {Zk8sQw2eRt6yUi0pAs4dFg8hJk2lZx6c}
wandb login {4f5c1e2d3b6a798877665544332211ffeeddccbb}
openweathermap appid={b6907d289e10d714a6e88b30761fae22}
https://api.openweathermap.org/data/2.5/weather?q=Madrid&appid={b6907d289e10d714a6e88b30761fae22}
spotify client secret: {c0ffee1234567890c0ffee1234567890}
NEXTAUTH_SECRET={9vT2bq0ZxN8mL4kJ7hG5fD3sA1pOiUyT}
APP_KEY=base64:{3q2+7wAAAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBk=}
SMTP_PASS={xkfj-29dk-aaaa}
AWS_SESSION_TOKEN={FwoGZXIvYXdzEBYaDHqa0AP1}
linode token {1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c2d3e4f5a6b7c8d9e0f1a2b}
okta {00aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789abcd}
ovh application secret {k3m8Qz1Xw9Lp5Rt7Yv2Nb4Hc6Jd0Fs8G}
X-Auth-Token: {9d8f7a6b5c4e3d2f}
Authorization: ApiKey {dGVzdDpzZWNyZXQ=}
proxy-authorization: Basic {YW5hOnNlY3JldDEyMw==}
set-cookie: remember_token={1|abcdef1234567890}; Path=/
session cookie: {s3ss10n-abc-123-def}
document.cookie = "sid={abc123def456ghi}"
git remote set-url origin https://ana:{t0ps3cret}@git.example.com/r.git
wget --password={Sw0rdf1sh} ftp://x
kubectl create secret generic db --from-literal=password={Zx81!qq}
ansible_password: {Zx81!qq}
ansible_become_pass={Zx81qqq}
spring.datasource.password={Zx81qqq}
<Password>{Zx81qqq}</Password>
"pwd":"{Zx81qqq}"
'passwd' => '{Zx81qqq}',
define('DB_PASSWORD', '{Zx81qqq}');
ALTER USER ana WITH PASSWORD '{Zx81qqq}';
IDENTIFIED BY '{Zx81qqq}'
SET PASSWORD = '{Zx81qqq}'
$env:API_KEY="{k9s8d7f6g5h4j3}"
set DB_PWD={Zx81qqq}
net use z: \\\\nas\\share /user:ana {Zx81!qqq}
echo {Zx81qqq!} | sudo -S apt update
sudo password is {raspberry}
ssh root@10.0.0.2 (password {raspb3rry})
rclone obscure pass = {x9Yk2mPq8Lw}
wifi.psk={lampara2024}
psk="{lampara2024}"
preshared-key = {kq3+fJ1mB8nN0s2vQx4yZ6aC8eG0iK2mO4qS6uW8yA0=}
BITWARDEN_SESSION={T3st+abc/DEF123ghi==}
The passphrase of my backup disk is {alert walk crew crew}
passphrase for the ssh key: {lemon tractor seven window}
gpg passphrase {lemon-tractor-seven-window}
mi frase de paso es {limón tractor siete ventana}
seed words\n{view master about catch fame whisper forward laugh pattern hospital shrug write}
wallet backup: {view, master, about, catch, fame, whisper, forward, laugh, pattern, hospital, shrug, write}
Trust Wallet → {view master about catch fame whisper forward laugh pattern hospital shrug write}
{view master about catch fame whisper forward laugh pattern hospital shrug write} <- seed phrase metamask
the till PIN is {6150} until Friday
tablet pin {7079} and nothing else
Amex PIN {3391}
el NIP de mi tarjeta es {5523}
la clave del cajero automático es {5523}
code CB {8731}
mon pin c'est {8731}
código do cartão: {8731}
a senha do cartão é {8731}
Apt door code {4471#}
Airbnb: door code {558213}, wifi on the fridge
pool gate combination: {3-1-4-1}
código de la puerta de la uni: {C2290}
el código para abrir la oficina es {77012}
código de entrada {77012}
código del garaje comunitario - {5012}
código de desbloqueo del patinete: {5012}
código da garagem {3110}
código do portão: {3110}
le code de l'alarme est {3110}
le code du parking : {3110}
le digicode c'est {12B84}
code wifi: {JDKZ-93KD-22LM}
code porte {A4512}
the two-factor backup code is {kd83-ks92}
recovery key: {EsTc 4wk9 PqLm 22dk}
BitLocker recovery key {123456-234567-345678-456789-567890-678901-789012-890123}
FileVault recovery key {ABCD-EFGH-1234-IJKL-5678-MNOP}
apple recovery key {RK-ABCD-EFGH-1234}
codigo de recuperación de google {8392 0174}
bank token password {Lluvia.Norte88}
contraseña: "{Lluvia.Norte88}".
La contraseña (ojo, con mayúscula) es {Lluvia88Norte}
contraseña = {Lluvia88}
contraseña->{Lluvia88}
contraseña es: {Lluvia88}
contraseña actual: {Lluvia88}
contraseña del wifi del bar: {cafeconleche}
contraseña del wifi: {cafeconleche}, todo junto
el wifi tiene de clave {cafeconleche1}
wifi: red "Bar Pepe" / contraseña {cafeconleche1}
WiFi BarPepe / {Cafe_Leche1} <- contraseña
my passwords are {Rainy.Day88} and Sunny.Day99
old password {Rainy.Day88}, new one soon
Password hint none, password {Rainy.Day88}
pw {Rainy.Day88}
PW= {Rainy.Day88}
pass → {Rainy.Day88}
passwrod: {Rainy.Day88}
pasword {Rainy.Day88}
contrasña: {Lluvia88!}
contrseña {Lluvia88!}
the login is guest with password {guest2023}
guest wifi password {welcome1}
Netflix PIN {1122}
profile lock pin is {1122}
el pin parental es {1122}
mi usuario es ana y mi contraseña {Lluvia88}
user ana pass {Lluvia88}
ana / {Lluvia88!} (usuario y contraseña)
acceso: ana@example.com {Lluvia88!}
cuenta de Disney: ana@example.com, {Lluvia88!}
correo ana@example.com clave {Lluvia88}
e-mail: ana@example.com senha: {Chuva88}
login: ana@example.com mdp: {Pluie88}
identifiant ana mot de passe {Pluie88}
id: ana mdp: {Pluie88}
le mdp wifi c'est {pluie88}
mdp={Pluie88}
c'est quoi déjà le mdp ? ah oui {Pluie88!}
mot de passe provisoire : {Pluie88}
votre mot de passe est {Pluie88}
tu contraseña temporal es {Lluvia88}
Your temporary password is {Rainy88}
temporary pass: {Rainy88}
password reset to {Rainy88}
reset his password to {Rainy88}
he puesto como contraseña {Lluvia88}
le he puesto de pin {4471}
dni {65171300h}
D.N.I. {65171300H}
DNI/NIF: {65171300-H}
mi nif es {65171300H}
nie {X8524718Q}
con DNI {65.171.300-H}
SSN is {631874035}
last 4 of my social 4035, full {631-87-4035}
my ssn {631 87 4035}
nss: {281234567840}
numero de sécurité sociale : {185057800608491}
CPF nº {529.982.247-25}
cpf {52998224725}
RFC {GODE561231GR8}
CURP {GODE561231HDFRRN09}
pasaporte nº {PAB123456}
my passport is {533380006}
número de pasaporte: {XDA123456}
VISA {4406402352475990}
{4406-4023-5247-5990} exp 03/27 cvv 812
card no {4406 4023 5247 5990} CVC 812
mastercard {5429 0952 1002 8306}
tarjeta {5429/0952/1002/8306}
tarjeta {5429_0952_1002_8306}
amex {378282246310005}
n° de carte {4970 1000 0000 0055}
IBAN {es6221004563953292499556}
cuenta {ES6221004563953292499556}
""".strip().splitlines()
]


def told(line: str) -> tuple[str, str]:
    """Return a line without its braces, and the secret that stands between them."""
    before, _, rest = line.rpartition("{")
    secret, _, after = rest.partition("}")
    return before + secret + after, secret
