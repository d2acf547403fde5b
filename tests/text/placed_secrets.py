"""Invented secrets in tables, rows, seeds and notes, each between {braces}; and texts that are like them."""

PLACED = [
    line.replace(r"\n", "\n").replace(r"\t", "\t")
    for line in r"""
Call grandpa on {+44 7700 900123} after six
from abroad dial {0044 20 7946 0123}
contra: {Zanahoria_55}
código del portal {2B47}
mon portable c'est le {+33 6 39 98 55 10}
db.internal:5432:billing:svc_bill:{n0tThe1Real}
*:5432:*:postgres:{elephant99}
carlos:{Verano#22}@proxy.corp.example:8080
**Senha:** {PaoDeQueijo8}
my authenticator seed for GitHub is {KRUGKIDROVUWG2ZA}
semilla 2FA de Binance: {MFRGGZDFMZTWQ2LK}
clave de configuración del autenticador: {nbsw y3dp o5xx e3de}
my 12 words in order are {glance tower sugar bitter ranch hollow zebra pilot cream unfold dizzy march}
12 palavras, na ordem: {abelha bonde caneta dado escola folha garfo hotel ilha janela lousa mapa}
I reset the bank one to {Harbor%Light3}. Password manager has it too
the disk encryption passphrase is {umbrella canyon seventeen fox}
remind me: eBay -> {Cobalt*Finch2}
Instagram: @lou.paints / {acrylic!Blue7}
bike combo {3 8 1 6}
acuérdate: banco → {Hucha!2020}
desde Alemania marca {00 34 91 123 45 67}
marca el {011 34 611 22 33 44} desde Estados Unidos
a contrassenha é {Pastel#9}
口令：{tianqihao}
WiFi密码是 {panda-bamboo}
パスワード: {fujisan}
비밀번호: {hangang}
localhost:5432:shop:shop_rw:{Tb7kQ9x}
ana:{hunter!22}@192.168.1.20:5900
**Clave Wi-Fi:** `{verano azul 7}`
Password:\n```\n{Zk4!mmQx}\n```
QR didn't scan, manual key is {JFZG 64TF OQQG S5DT} (authenticator)
Google Authenticator key: {gezd gnbv gy3t qojq}
base32 seed {GAYTEMZUGU3DOOBZ}
1) ocean 2) drift 3) spoon 4) cabin 5) candy 6) lion 7) goat 8) cow 9) owl 10) cat {11) dog} wallet seed
Note to self, don't lose this again!! Steam = {Portal2Fan!}
ssh into the pi with pi / {blackberry9}
For the demo account use demo@acme.example with {DemoDay!24}
Use {G-448201} as your Google code
bank security answer / memorable word: {Pemberton}
memorable word for Barclays is {gooseberry}
dial {00351 912 345 678} from Spain
0033 6 12 34 56 78 no, mejor {0033 6 98 76 54 32}
contra ig: {Playa.2019}
CLABE {032180000118359719}
a senha é {jacaranda} mesmo
wachtwoord: {Fiets!2023}
пароль: {Zvezda!88}
와이파이 비번: {suwon1234}
host: db1\nport: 5432\nuser: app\npassword: {Tundra_moss}
openssl enc -k {Encrypt3d!} -in a
7z x -p{Arch1ve!} b.7z
unzip -P {Z1pped77} c.zip
mosquitto_pub -u home -P {M0squit0} -t t
ldapsearch -w {D1rectory!} -D cn=admin
smbclient //nas/share -U ana%{Fil3Share}
2FA: {OBQXG43XN5ZGIMJS}
mi semilla de Authy {IFBEGRCFIZDUQSKK2}
backup code {8f2k-9dm3}
Discord backup codes\n{a8f2-k9dm}\nq7z1-x4cv
recuperación Binance, en este orden: {cebra mundo silla verde nube tarta rueda lince playa mango torre brisa}
db.example.com:5432:*:root:{plainpass}
*:*:*:postgres:{hunterx}
secreto 2FA -> {KRSXG5CTMVRXEZLU}
**Password:** `{vcyC$U3x-$st+6}`
Contra: {girasol88}
会议室投影仪的口令是{slwgdkky}
비밀번호는 {hanbokjip}
recovery words, in order: {burst library consider furnace weird kiwi myth diary frog typical ill off}. Never
desde fuera marca {0034 93 642 60 58}
{1 burst 2 library 3 cube 4 oven 5 weird 6 kiwi 7 myth 8 diary 9 frog 10 lime 11 rose 12 ill} is my seed
""".strip().splitlines()
]

UNLIKE_SECRETS = [
    line.replace(r"\n", "\n").replace(r"\t", "\t")
    for line in r"""
The password needs at least one number and one symbol.
La contraseña debe tener letras y números, mínimo ocho.
A senha deve conter letras maiúsculas e minúsculas.
Le mot de passe doit comporter des lettres et chiffres.
Powerball: 08 14 27 33 51 and 12
los números de la primitiva 03 11 19 28 36 44
IMG_20240611_183012.jpg
Screenshot 2024-06-11 at 18.30.12.png
WhatsApp Image 2023-12-25 at 10.00.33.jpeg
backup-2024-06-11.tar.gz
Meeting moved to 2024-07-02 15:00
| Field | Type |\n|---|---|\n| password | varchar |\n| token | text |
| Product | Code | Price |\n|---|---|---|\n| Lamp | 48213 | 29.90 |
| Country | Prefix |\n|---|---|\n| Spain | 0034 |\n| France | 0033 |
| Manager | Password generator |\n|---|---|\n| Bitwarden | yes |
| Key | Action |\n|---|---|\n| Ctrl+C | copy |
name,age,city\nAna,34,Bilbao\nLuis,41,Vigo
date,token_count,cost\n2024-06-01,18233,0.42
error at main.rs:120:14: expected expression
10:30:00:12 timecode
list in order: wake, stretch, shower, breakfast, walk, work, lunch, nap, read, cook, watch, sleep
En contra: es caro y pesa mucho
Pros: cheap. Contra: slow shipping
contra: el Barça, 3 a 1
密码至少要八位
我忘记密码了
パスワードを変更しました
I ran 10 12 14 16 18 km in five weeks
invoice 2024-00318 for 1,250.00 EUR
senha fraca e curta é um problema
La clave debe incluir mayúsculas y números
A senha precisa ter números e letras
As senhas devem ser longas e únicas
contraseña: (pendiente)
Lotto 6/49: 04 09 17 22 38 41
Mega-Sena: 05 11 23 34 45 58
loto : 07 12 23 34 45 n° chance 8
I scored 12 14 15 18 20 this week
measurements 90 60 90
sets of 10 12 12 10 08
25/12/2024 18:00
2024.06.11 release notes
VID_20231224_201500.mp4
audio-2024-05-03-21-14-07.m4a
recording 20240503-211407.wav
PXL_20230718_091122334.jpg
llamada perdida 03/05/2024 21:14
call on 2024-05-03 at 10
expediente 2023/004512
10.0.0.5:8080:up:healthy
12:05:33:web:started
| Rule | Password |\n|---|---|\n| length | at least 12 |\n| reuse | never |
| Env var | Secret | Required |\n|---|---|---|\n| PORT | no | yes |\n| JWT_SECRET | yes | yes |
| Pin | Signal |\n|---|---|\n| 12 | GPIO18 |\n| 14 | GND |
| Error | Code |\n|---|---|\n| Not found | 404 |\n| Gone | 410 |
| Airport | Code |\n|---|---|\n| Madrid | MAD |
| Model | Tokens |\n|---|---|\n| small | 8192 |\n| large | 128000 |
| User | Password last changed |\n|---|---|\n| ana | 2024-05-01 |
| Feature | Password | Passkey |\n|---|---|---|\n| Phishing-proof | no | yes |
| Letra | Clave |\n|---|---|\n| A | sol |\n| B | fa |
name,pass,fail\nunit,120,3\ne2e,44,1
test,pass\nlogin,yes\nlogout,no
team,contra,resultado\nBetis,Sevilla,2-1
key,value\ncolor,blue
Song,Key\nYesterday,F
user,token_count\nana,18233
Contra: tarda mucho
Contra: 2 votos; a favor: 5
jugamos contra: Getafe, Elche
Bought seeds: tomato basil mint thyme parsley lettuce carrot onion garlic leek chard spinach
The ledger lists bread milk eggs butter cheese apples pears grapes honey salt sugar flour
in order: red, orange, yellow, green, blue, indigo, violet
密码错误
密码强度：高
密码管理器：Bitwarden
パスワード管理は1Password
password reset link sent to ana@mail.example
Contra: precio / A favor: pantalla
C# and F# developer since 2010
building code section 1207
student ID 20231187
ratio 00:34:56
in order: knead, rest, shape, proof, bake
| Step | Action |\n|---|---|\n| 1 | enter password |
| Name | Token | Notes |\n|---|---|---|\n| Ana | dog | Monopoly |
| Sport | Pass | Fail |\n|---|---|---|\n| Swim | 12 | 3 |
| Locale | Password label |\n|---|---|\n| es | Contraseña |\n| fr | Mot de passe |
| ISO | Code |\n|---|---|\n| Spain | ES |
lang,password\nes,contraseña\nfr,mot de passe
method,path,auth\nGET,/login,none
port,service\n5432,postgres
main.go:42:6:warning:unused
2024-05-03 21:14:07 INFO db:5432 connected
密码箱在楼上
密码是什么？
新密码已发送
パスワードは何ですか
| Field | Type | Required |\n|--|--|--|\n| password | string | yes |\n| token | string | no |
| Test | Password | Result |\n|--|--|--|\n| empty | (none) | error |\n| short | missing | error |
| App | Password manager |\n|--|--|\n| Ana | Bitwarden |
name,password policy,length\nACME,strong,12
| Country | Code |\n|--|--|\n| Spain | 0034 |
| Token | Count |\n|--|--|\n| hello | 44 |
src/main.py:120:col:name: error
12:30:45:10 start
Password must have letters, numbers and symbols
La contraseña debe tener mayúsculas y números.
A palavra-passe deve conter letras e símbolos
Le mot de passe doit contenir des lettres et chiffres
Loto: 05 12 23 34 45 estrellas 02 07
Euromillones 07 12 23 34 45 49
whatsapp 03.05.2024 at 21.14
IMG-20240503-WA0012.jpg
Scan 2024-05-03 11.22.33.pdf
call with ref 12345678
Final scores: 21-15 18-21 15-12
sets 6-4 6-3 7-6
41.3887 2.1589
order 0034 5567 8899
Pros: barato\nContra: MacBook es caro
Contra: windows11 va lento
the seed drill is great, 2FA is on: ABCDEFGHIJKLMNOP
2FA works with yubikey 5 nano and some keys
localhost:3000:app is up
user:group@host:22
docker run -p 127.0.0.1:8080:80 nginx:1.25
密码管理器是bitwarden
パスワードはbitwardenで管理
密码是required
photo_2024-05-03_11-22-33.jpg
call me 2024-05-03
Phone backup 20240503_112233.zip
    'native', 'pass', 'self',\n    'const', 'static', 'super',
  shopt|pass|test|\n  time|times|trap|
números premiados 05 16 27 38 49
""".strip().splitlines()
]
