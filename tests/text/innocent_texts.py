"""Sentences that look like secrets to a hasty reader and are none."""

INNOCENT = """
I forgot my password
I forgot my password again, can you help?
the password is too long
The password is wrong.
Your password is incorrect!
the password is required
My password is the same as always.
The password is at least 12 characters long
The password is 12 characters long
my password is 8 years old
The password is stored in the vault.
The password is base64 encoded
The password is hashed with SHA-256
Password length: 16
Password manager: 1Password
My password manager is 1Password
My password manager is Bitwarden2
password: required
password: string
"password": "string"
password = getpass()
password = getpass("Password: ")
password = request.form["password"]
password=args.password
password: ${DB_PASSWORD}
password: $DB_PASSWORD
password: {{ vault.password }}
password: <your password>
password: ********
password: ••••••••
Password reset on 2026-11-15
password policy: 90 days
Passwords expire every 90 days
She reset her password in 2024.
The secret is out
The secret is patience
secret: true
The secret of good paella is the broth
Her secret is 7 hours of sleep
The token is expired
max_tokens: 4096
tokens: 128000
token = lexer.next_token()
token: str
The token budget is 4096 tokens
We used 12345 tokens today
token count: 123456
api_key = os.environ["API_KEY"]
apiKey: process.env.API_KEY
api_key=None
The API key is missing
Put your API key in .env
The key to success is 10000 hours of practice
primary_key: user_id
cache_key: user_42
The key is under the mat
Key: value
The pin is on the map
Pin 4 is 3300 mV
pin is 13
GPIO pin: 17
The PIN is 4 digits long
We scored 21 points and pinned 3 notes
boarding pass: ABC123
Ski pass: 320 €
bus pass: 45€/month
All tests pass: 128 of 128
la contraseña es muy larga
La contraseña es incorrecta
la contraseña es obligatoria
cambiar la contraseña es fácil
He olvidado mi contraseña
La contraseña es de 8 caracteres
la contraseña caduca en 90 días
la contraseña era débil
contraseña: obligatoria
la contraseña es la misma de siempre
La contraseña debe tener 12 caracteres
Gestor de contraseñas: 1Password
La clave del éxito es la constancia
La clave es paciencia
la clave está en dormir 8 horas
La clave primaria es user_id
La clave es 2027
la clave es 10-15 repeticiones
Toca en clave de sol
El enclave: 300 habitantes
El secreto es la paciencia
Su secreto: 3 huevos y leche
código postal: 28013
El código postal es 28013
El código de descuento es VERANO
La frase del día: no hay mal que por bien no venga
Today is 2026-11-15
The meeting is on 15/11/2026 at 10:30
2026-11-15 10:30
2026-11-15T10:30:00Z
2026-11-15T10:30:00.123456+01:00
Born 3 May 1999
Nació el 3 de mayo de 1999
del 15-11-2026 al 20-11-2026
20261115
1999-2003
From 2019 to 2024
at 10:30:45.123
Python 3.12.1 is out
Chrome 131.0.6778.109
v2.0.0-rc.1+build.20261115
Linux 6.8.0-45-generic
git hash 8c25f5f
commit d204f64a1b2c3d4e5f60718293a4b5c6d7e8f901
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
md5 d41d8cd98f00b204e9800998ecf8427e
id 123e4567-e89b-12d3-a456-426614174000
session 550e8400-e29b-41d4-a716-446655440000
1.299,99 €
It costs $12,000
El piso vale 245.000 euros
1,234,567.89 USD
Presupuesto: 1 250 000 €
ISBN 978-3-16-148410-0
ISBN-13: 9780306406157
ISBN 84-376-0494-X
40.4168, -3.7038
40°25'00.5"N 3°42'13.6"W
192.168.1.100
http://192.168.1.100:8080/status
2001:0db8:85a3:0000:0000:8a2e:0370:7334
127.0.0.1:5432
mask 255.255.255.0
pedido 1234567890
Pedido nº 612345678
order #4829104822
invoice 2026-000123
factura F2026/00123
tracking 1Z999AA10123456784
The population is 48 592 909
Light travels 299792458 m/s
pi is 3.14159265358979323846
1000000000000 is a trillion
1700000000
1700000000000
https://example.com/a/b?c=d&page=2
https://github.com/python/cpython/issues/123456
https://host.example:8443/path
git@github.com:org/repo.git
ssh://git@example.com:22/repo.git
Write to ana.garcia99@example.com
mailto:bob@example.org?subject=hi
#ff00ff
color: #1a2b3c;
rgba(255, 128, 0, 0.5)
for i in range(10): print(i)
x = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
const id = "a1b2c3";
if (token === undefined) return;
SELECT * FROM users WHERE id = 12345678;
The score was 3-2
Final 102-98 after 48 minutes
6-4 3-6 7-6 (10-8)
1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
111 222 333
room 4111 on floor 11
numbers 12 34 56 78
task-force-one-and-the-rest-of-the-team
scikit-learn and sk-learn-contrib-project-2024
pypi-publish-action-for-every-release
disk-usage-of-the-last-twelve-months
agent-based-modelling-of-markets
agent_of_shield_season_7
The agent id is unknown
Authorization: Bearer <token>
bearer of bad news
basic understanding of mathematics
the private key is in the safe
-----BEGIN CERTIFICATE-----
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ user@host
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
CamelCaseClassNameForTheFactory2
ThisIsAVeryLongIdentifierInTheCodeBase
organización_de_las_naciones_unidas_2030
El Quijote tiene 126 capítulos y 381104 palabras
Tiene 3 gatos y 2 perros
Mide 1,75 m y pesa 68,5 kg
Vive en la calle Mayor 28, 3º B, 28013 Madrid
Vuelo IB3172 a las 07:45
Matrícula 1234 BCD
Ella nació en 1984 y él en 1991
5G, 4K, 8K y H2O
3D, 2FA y WPA2
COVID-19 y B12
CSC 101 is at 9
ES un país
DE12 is a road
+1 for this idea
+5 grados y -3 de noche
2+2=4
100% seguro
10^9 + 7
¡Feliz 2027!
RFC 2119
EAN 4006381333931
IMEI 356938035643809
4.4444444444444444
[redacted:password]
my password is [redacted:password]
"password": "[redacted:password]"
password = load_v2(cfg9)
The password is 2048 bits long
card [redacted:card], security code required
密码 and 東京 2026
🙂🙃 123
I changed my password in 2023 and again in 2024
The password manager I use is Bitwarden
password rules: 8-16 characters, 1 digit
the password was leaked in the 2019 breach
He guessed my password on the 3rd try
I keep passwords in KeePassXC 2.7.9
enter your password and press OK
la contraseña de Netflix la tiene mi hermana
la contraseña tiene que tener mínimo 12 caracteres
olvidé la clave del wifi otra vez
la clave de sol va en la segunda línea
clave: dormir 8 horas y beber 2 litros
votó en contra de la ley 39/2015
el partido contra el Betis fue 3-1
la contra es que sale 40 euros más caro
a chave do carro está na gaveta 3
a senha da fila é 045
a chave do sucesso é treinar 10 horas
le mot de passe est trop court
mot de passe oublié ?
la clé de 12 est dans le tiroir
le code de la route, article R412-6
code promo : ETE2024
the area code is 0034
zip code 90210
error code 4041 in the washing machine
error code: E1234
HTTP status code 503
the dress code is smart casual
the code base has 12000 lines
country code +34
CP 28013 Madrid
código postal: 08001
código de error 0x80070005
código de descuento VERANO25
the bar code is 8410076472885
QR code on page 12
pin 13 of the arduino
bowling pins: 10
I pinned 3 posts in 2024
pinned to version 1.2.3
GPIO pin 1024 does not exist
my flight is IB3166 at 18:45, gate K82
Gate 2045 is closed
puerta 1204, tercera planta
room 4120, wifi included
the alarm is at 0730
alarm rang at 6:45
alarma a las 0645
the safe weighs 120 kg
safe until 2026
order number 612345678
pedido 612345678
factura 20240012
invoice 100233445
tracking number 1Z999AA10123456784
seguimiento PQ4F1234567890123
ISBN 9788437604947
EAN 8410076472885
NIF de la empresa: no lo sé
el DNI caduca en 2027
renovar el pasaporte antes de 2026
my passport expires in 2030
social security office opens at 9
account number is on the invoice
the phone costs 899 euros
teléfono nuevo: Pixel 8
el móvil tiene 128 GB
call me tomorrow at 10:30
llámame el 15 a las 18:30
llámame a las 9:30, el 12/11/2026
phone battery 4500 mAh
mi número de la suerte es 7
WhatsApp 2.24.10.75
the token is stored in the keychain
tokens per second: 45.2
context window 128000 tokens
we got a token ring network in 1994
secret santa is on 20/12
the secret is in the sauce
el secreto está en la masa
cookie recipe: 200 g flour, 2 eggs
cookies: 12 per box
api version v1beta3
the api returns 200
GET /api/v2/users/12345
key findings: 3 of 5
press the F5 key
keyboard layout: es_ES.UTF-8
Ctrl+Shift+P opens it
SELECT password FROM users WHERE id = 42
password = input("Password: ")
password: str | None = None
if password == confirm_password:
const token = await getToken()
token: Optional[str]
os.getenv("API_KEY")
api_key=settings.api_key
API_KEY=${API_KEY}
PASSWORD=<your password here>
secret: my-secret-name
secretName: db-credentials
key: apps/v1
- key: node-role.kubernetes.io/control-plane
kubectl get secret app-tls -o yaml
git commit -m "fix password reset (#1234)"
git checkout feature/login-form-v2
docker run -p 8080:80 nginx:1.25.3
docker run -u 1000:1000 img
ssh -p 2222 pi@192.168.1.20
npm install left-pad@1.3.0
pip install pydantic==2.9.2
v1.2.3-beta.4+build.5678
sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904
etag "33a64df551425fcc55e4d42a148795d9f25f89d4"
uuid 3f2504e0-4f89-11d3-9a0c-0305e82c3301
https://youtu.be/dQw4w9WgXcQ
https://docs.google.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit
https://maps.app.goo.gl/8Kx1u2yZ3abCdEf45
https://www.amazon.es/dp/B08N5WRWNW?th=1
https://example.com/search?q=password+manager&page=2
https://en.wikipedia.org/wiki/Secret_key
https://t.me/joinchannel
spotify:track:4uLU6hMCjMI75M1A2tKUQC
bitcoin address 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa
0x71C7656EC7ab88b098defB751B7401B5f6d8976F
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJ8x ana@portatil
SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDQ6z4L2gq0VwJkYRk
Nadal won 6-2 6-3 in 2022
population 3,223,334
Lat 40.4168 Lon -3.7038
It was 1,234.56 USD
1.234.567 habitantes
the year 1984 and the year 2001
born 12/03/1985
2024-11-28 16:20:33
10.0.0.1/24 via 10.0.0.254
MAC 00:1A:2B:3C:4D:5E
iPhone 15 Pro Max 256GB
Samsung Galaxy S23 Ultra SM-S918B
matrícula 4821 KLM
bus 1204 to the airport
habitación 1204, clave de la reserva en el correo
NVIDIA RTX 4090 24GB
llama-3.1-70b-instruct-q4_K_M.gguf
IMG_20240914_220351.jpg
backup_2024-11-28_0300.tar.gz
Ley 39/2015, artículo 24.2
#10kSanSilvestre2024
the wifi password is on the fridge
password is on the back of the router
I told Marta the password yesterday
the password for the portal expires on 2026-12-01
he said his password has 14 characters
two people know the alarm code
the alarm code changes every 90 days
we need a new door code before June
code review at 15:30 with Luis
the building was finished in 1974
gate B42 boarding at 17:05
the safe word is not the point
lock the door at 2300
PIN entry failed 3 times
card ending in 4242 was charged 12.50
my card expires in 03/27
card number on file ends with 5990
la tarjeta acaba en 1234
el código postal del pueblo es 23400
código IATA MAD, vuelo 1234
el código QR caduca en 15 minutos
código fuente en github.com/ana/repo2
el PIN tiene 4 dígitos
cambié el pin hace 2 años
me pide el pin cada 72 horas
olvidé la contraseña del portátil de 2015
la contraseña del wifi está debajo del router
contraseña incorrecta, quedan 3 intentos
pon una contraseña con 2 mayúsculas y 1 número
la clave del examen es estudiar 3 semanas
una clave de 256 bits
la clave pública está en el README
en clave de humor
a senha expira em 30 dias
a senha tem que ter 8 letras
senha errada pela 3ª vez
a chave da porta ficou com o João
la clé USB de 64 Go
la clé est sous le paillasson
le code postal est 75011
le code du travail compte 3500 pages
mot de passe perdu, ticket 48213
mon mot de passe expire le 12/12/2026
the token expires in 3600 seconds
tokens used: 18234
rotate the API key every 90 days
the api key lives in 1Password
api key: see 1Password
secret: see vault
session 42 of the course
session id is printed in the log
cookie policy updated 2024-05-01
my phone number has changed
call the plumber at 9
phone 2 hours with mum
tel aviv 2019
telefono roto desde 2023
mobile first, 375px wide
order 4071-2291-88
ticket INC-204817
tracking ES123456789ES
ref. catastral 9872023VH5797S0001WX
matrícula 1234ABC
expediente 2024/001234
póliza 00123456
NASDAQ 18,342.94
ASIN B0C7BW5TX2
SKU AB-1234-XY
model WH-1000XM5
firmware v2.14.0-beta3
kernel 6.8.0-49-generic
node v20.11.1
torch==2.3.1+cu121
CVE-2024-3094 in xz 5.6.1
RFC 7519 describes JWT
ISO 27001 and PCI DSS 4.0
IPv6 fe80::1ff:fe23:4567:890a
MAC b8:27:eb:12:34:56
port 5432 is open
chmod 0755 run.sh
exit code 137
HTTP 404 on /login
status code 418
room code 1204 is the suite
grid ref SU 387 148
what3words ///filled.count.soap
lat 41.38879, lon 2.15899
41.38879,2.15899
Bus 27, platform 14
BWV 1007
Opus 27 no. 2
K-pop group NCT 127
Euro 2024 final 2-1
5x5 at 80 kg
blood pressure 120/80
glucose 95 mg/dl
HbA1c 5.4%
vitamin D3 2000 IU
ibuprofen 600 mg c/8h
E=mc2
C6H12O6
recipe: 250 g flour, 2 eggs, 180 °C for 35 min
the seed catalogue has tomatoes, peppers and beans
my wallet is brown
I lost my wallet in 2022 near the station with all my cards inside
three words: location location location
the phrase "carpe diem" is on my wall
la frase del mes es una de Machado
AES-256-GCM with a random nonce
bcrypt cost 12
argon2id m=65536,t=3,p=4
base64 of hello is aGVsbG8=
sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709
docker pull redis:7.2.4-alpine@sha256:8d2a0f
https://meet.google.com/abc-defg-hij
https://youtube.com/watch?v=dQw4w9WgXcQ&t=42
https://open.spotify.com/track/4cOdK2wGLETKBW3PvgPWqT?si=a1b2c3
https://www.notion.so/Plan-2024-1f2e3d4c5b6a7988
https://x.com/user/status/1790000000000000000
https://arxiv.org/abs/2310.06825v1
user_id=42&page=3
{"id": 12345, "status": "ok"}
SELECT id FROM t WHERE code = 'ES'
for (let i = 0; i < 10; i++) {}
background: #fafafa; color: #333;
assert response.status_code == 200
def login(user, password): ...
login form: 2 fields
login failed for user ana from 10.0.0.5
access denied for 'root'@'localhost'
access code of conduct
admin/users page is slow
root cause: DNS
the credentials are in the vault
credentials expired on 2024-06-30
""".strip().splitlines()
