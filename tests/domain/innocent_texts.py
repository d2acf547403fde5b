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
""".strip().splitlines()
