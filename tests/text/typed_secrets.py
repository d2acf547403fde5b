"""Invented secrets in commands, answers, other scripts and asides, each between {braces}; and their like."""

TYPED = r"""
snyk auth {93e257ad-bb94-4bfd-9241-adfc4dd82cb5}
my token is {93e257ad-bb94-4bfd-9241-adfc4dd82cb5}
APP_SECRET_KEY set to {ebaa3d21-4bd9-401e-a4ef-3e5758fe31ba} on the server
curl -u ana:{pw99x} x.io
DB_PASSWORD was set to {Zx9kkq2}
alarm code is #{4471}
couriers use gate code #{4471} at the complex
PIN #{4471}
dsn := "shop:{R_0Vk8Knn}@tcp(127.0.0.1:3306)/shop?parseTime=true"
app:{hunter22x}@unix(/tmp/mysql.sock)/shop
sqlplus scott/{T1ger99}@//db.local:1521/orcl
https://mainnet.infura.io/v3/{9aa3d95b3bc440fa88ea12eaa4456161}
https://rpc.ankr.com/eth/{9aa3d95b3bc440fa88ea12eaa4456161}
WIFI:T:WPA;S:Casa;P:{AckF3nry};;
WIFI:P:{girasol};S:Casa;T:WPA;;
my master password is {elevator must bachelor half} (with the spaces)
la nueva contraseña es {caballo grapa bateria naranja}
Senha mestra: {girafa janela sapato nuvem} (com espaços)
mot de passe : {cheval agrafe pile soleil}
contrasenia: {perrito12}
Security answer for the credit union (first pet): {Sir Wigglesworth}
La respuesta de seguridad del banco: {Colegio San Viator}
Réponse secrète : {rue des Lilas}
my security answer is {Rover}
我的身份证号是{110105197810215789}，订票用
证件 {11010519491231002X}
주민등록번호 {900101-1234568}
マイナンバーは{7699 3941 5612}、年末調整で必要
パスポート番号：{TK1234567}
口座番号は{1234567}です
実家のWi-Fi、パスは{sld6vd2t3benx}です。
Wi-Fiのパス：{kuma2024x}
自転車の鍵の番号は{7793}です。
门禁码是{4471}
인증번호 {354754} 입니다
{\"login\":\"sofia\",\"password\":\"{dBhBEiIfFNjsuZ}\"}
[\\"password\\": \\"{hunterpass}\\"]
&quot;password&quot;:&quot;{dBhBEiIfFNjsuZ}&quot;
%22password%22%3A%22{dBhBEiIfFNjsuZ}%22
o código do token do Itaú é {354754}
echo 'maria:{zsrM9Wm8}' | sudo chpasswd
chpasswd <<< 'maria:{zsrM9Wm8}'
echo {Zq9xPw22} | sudo passwd --stdin ana
net user ana {Zq9xPw22} /add
wpa_passphrase Casa {girasoles99}
bundle config gems.example.com {4eb3c87d:33a2b731}
composer config http-basic.repo.example.com ana {Zq9xPw22ab}
los tres números de atrás de la Visa son {593}
os três números atrás do cartão: {593}
les trois chiffres au dos de la carte : {593}
the three digits on the back of my Visa are {593}
agéndame: Vale peluquería {15-5398-4819}
Yui {090-1234-5678}
""".strip().splitlines()

UNLIKE_TYPED = r"""
The password is stored under mom's keyboard somewhere safe
Password: see envelope under keyboard
the password is rotated every ninety days
La contraseña es muy fácil de recordar
La contraseña: pregunta siempre mamá primero
password is probably something stupid again
The password was never written anywhere
Password set to expire in 90 days
login error code: 4010
token error code: 401203
Fixes #1234 in the alarm code
locker #1234
run 93e257ad-bb94-4bfd-9241-adfc4dd82cb5 finished, token ok
request id 93e257ad-bb94-4bfd-9241-adfc4dd82cb5 secret santa
パスは/usr/local1/bin
パスポートは赤です
エラーの番号は7793です
security answer must be at least 4 characters
La respuesta de seguridad es obligatoria
the security question answers are case sensitive
Use 4471 as your starting point for the code
npm config set registry https://registry.npmjs.org/
npm config set node-version 18.12.1
https://github.com/a/b/tree/v2/some-long-folder-name-here-ok
https://api.example.com/v1/customers-and-orders-2024-list
Santander, 2019, con mis padres
El hotel Bahía de Santander, habitación 4120, código postal 39001
La clave del éxito, 2019, fue trabajar
register your product at https://x.example/register
codes for Steam sale: 2500 games
the meter reads 44512
""".strip().splitlines()
