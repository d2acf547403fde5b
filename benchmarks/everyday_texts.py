"""What people say every day, with dates, prices, numbers, places and appliances: none of it is a secret."""

ENGLISH = """
My gym membership ends March 2027
The wifi guy comes on Friday 6 March 2026 between 9 and 11
The flat was built in 1974 and renovated in 2012
I bought the bike in April 2023 for 480 euros
My phone contract runs out in March 2028
The alarm on the oven has been broken since 2019
My locker at the pool is number 214
The garage is 2.40 m wide and 5.10 m long
The key of the cabin hangs at number 12
We pay 1450 a month for the apartment
Our house number is 2204, second floor, door 3
The safe weighs 120 kilos and took 4 men to carry
The gate at the school closes at 16:30
Flight IB3170 leaves from gate 12 at 18:45
Boarding starts at gate B42 at 1920 hours
The router is an AX3000 from 2021
The TV is a 55 inch from 2018, model UE55NU7025
The fridge broke down on 14 August 2024
The dishwasher manual says 220-240 V
The boiler was serviced on 03/11/2025 for 89.90
My card expires in 2029, remind me in 2028
I changed banks in 2020 and got 150 euros
The bank on 5th Avenue opens at 8:30
My login at work was set up in March 2016
The office moved to 221 Baker Street in 1999
Parking costs 2.50 an hour, 18 a day
The car has 148200 km and its inspection is due May 2026
My running record is 1843 m in 7 minutes
I weigh 74.5 and I am 183 tall
Grandma was born on 7 June 1938 in room 2 of the farmhouse
The recipe takes 1500 g of flour and 1200 ml of water
The marathon has 42195 metres
The code review is on Tuesday at 1500
The dress code is black tie, the party starts at 2030
The zip code of my parents is 39001
The area code there is 0221, I think
Error code 4010 appears when the printer is cold
My class code this term was HIST2024
The course is called CS101 and meets in room 3012
The book is 1984 by Orwell, 328 pages
We watched Blade Runner 2049 in 2017
My password manager renewal costs 36 a year
I changed all my passwords in January 2025
The password must have at least 12 characters
I forgot my password again on Monday 3 February
They ask for a new password every 90 days
The token ring network at work was from 1992
Secret Santa is on 18 December with a limit of 20 euros
The secret of the sauce is 3 anchovies
My key ring has 14 keys and weighs 210 g
The keyboard has 104 keys and cost 129
The alarm clock rings at 0645 on workdays
The alarm went off at 3:12 on 9 May 2024
The fire alarm test is on 1 October 2026 at 1100
Locker rooms are renovated until 2027
My suitcase weighs 23 kilos, the limit is 20
The lock on the shed rusted in 2015
The pin oak in the garden was planted in 2003
I pinned 12 posters on the wall for the 2026 fair
The PIN machine at the shop was broken on 4 May
My ski pass costs 312 for 6 days
The mountain pass is at 2107 metres
We take the 1015 train, platform 7, seats 42 and 43
Order 88213045 arrives between 3 and 5 March
The tracking page says it left on 2026-03-02
My seat on the ferry is 1127, cabin 4021
The combination of zinc 15 mg and vitamin C 1000 mg helps me
The combination skirt and blouse cost 2350 pesos
The door is painted in RAL 7016
The door is 2010 mm by 826 mm
Type 2012 of that drill has been discontinued
My blood type is 0 and my ferritin was 2012 in 2019
Dial tone stopped in 2008 when we left the landline
Press conference on 12 March 2026 at 1130
The press costs 1999 at the hardware store
I tapped out after 2500 steps
Tap water here has 1450 microsiemens
The digital scale shows 2007 grams
Composer Arvo was born in 1935
Marcus was born in 2012 and Marcia in 2015
In March 2031 the mortgage is paid off
The Marquis hotel charges 2100 a night
The gym on Portal 4 opens at 0700
The hotel portal says check-in from 1500
My access to the archive ends on 31 December 2026
The entry fee is 1200 yen
The elevator holds 1000 kilos
The building has 1204 flats on 32 floors
The intercom was replaced in 2022 for 2400 euros
The vault of the church dates from 1503
The bike lock cost 1299 rupees
The scooter does 25 km/h and has 3500 km
The tablet has 128 GB and I got it in 2021
My iphone 13 has 4352 photos
The sim card plan is 1500 minutes
Our wifi costs 2999 a quarter
The wifi in the train was slow on 12 May 2025
My login streak is at 1204 days
Gate 2027 is a video game
The verification visit is 2026-04-14
The confirmation class of 1998 meets in 2028
The card has 2400 points since 2023
Bank holiday on 25 May 2026
The recovery took 14 weeks in 2020
The backup drive has 2000 GB and is from 2019
I take 2 backups a month since 2014
The phone box at the corner stood there until 2009
My telephone bill was 2013 crowns in March
I read 2012 words per hour when I type
The piano was tuned on 11 March 2025, 442 Hz
Our neighbours at 1420 have a dog
The seed order: 12 tomatoes, 24 beans, 36 peas
Two words I learned in 1999: hygge and lagom
The ledger of 1877 lies in the town archive
My wallet cost 3500 in 2018
Phantom of the Opera, row 12, seat 1024, 19 June 2026
My token of thanks was a 2015 Rioja
My account of the trip has 2300 words
The account was opened in 1987
I owe Tom 2450 since March 2024
Version 2.3.1 of the app came out on 2024-11-05
Room 1408, two nights, 3 and 4 October, 218 euros
""".strip().splitlines()

SPANISH = """
Mi cuota del gimnasio termina en marzo de 2027
El técnico del wifi viene el viernes 6 de marzo de 2026 entre las 9 y las 11
El piso se construyó en 1974 y se reformó en 2012
Compré la bici en abril de 2023 por 480 euros
Mi contrato del móvil acaba en marzo de 2028
La alarma del horno está rota desde 2019
Mi taquilla de la piscina es la 214
El garaje mide 2,40 de ancho y 5,10 de largo
La llave de la cabaña cuelga en el número 12
Pagamos 1450 al mes por el apartamento
Nuestro portal es el 2204, segundo piso, puerta 3
La caja fuerte pesa 120 kilos y la subieron entre 4
La puerta del colegio cierra a las 16:30
El vuelo IB3170 sale de la puerta 12 a las 18:45
El router es un AX3000 de 2021
La tele es de 55 pulgadas, de 2018
La nevera se rompió el 14 de agosto de 2024
El manual del lavavajillas dice 220-240 V
Revisaron la caldera el 03/11/2025 por 89,90
Mi tarjeta caduca en 2029, avísame en 2028
Cambié de banco en 2020 y me dieron 150 euros
El banco de la calle Mayor 1523 abre a las 8:30
Entro al trabajo a las 0730 desde marzo de 2016
La oficina se mudó a Alcalá 221 en 1999
Aparcar cuesta 2,50 la hora y 18 el día
El coche tiene 148200 km y pasa la ITV en mayo de 2026
Corro 1843 metros en 7 minutos
Peso 74,5 y mido 183
La abuela nació el 7 de junio de 1938
La receta lleva 1500 g de harina y 1200 ml de agua
El código postal de mis padres es el 39001
El código de vestimenta es formal y la fiesta empieza a las 2030
El código de error 4010 sale cuando la impresora está fría
La clave de sol la aprendí en 1995
La clave del éxito son 3 cosas, según un libro de 2014
La clave fue salir a las 0600 y parar en el km 2010
Cambié todas mis contraseñas en enero de 2025
La contraseña debe tener al menos 12 caracteres
Se me olvidó la contraseña otra vez el lunes 3 de febrero
Piden una contraseña nueva cada 90 días
El amigo invisible es el 18 de diciembre con límite de 20 euros
El secreto de la salsa son 3 anchoas
El llavero tiene 14 llaves y pesa 210 g
El despertador suena a las 0645
La alarma saltó a las 3:12 el 9 de mayo de 2024
El simulacro con alarma es el 1 de octubre de 2026 a las 1100
El vestuario y las taquillas están en obras hasta 2027
Mi maleta pesa 23 kilos, el límite es 20
El candado del cobertizo se oxidó en 2015
Planté el pino en 2003
Puse 12 carteles para la feria de 2026
El forfait cuesta 312 por 6 días
El puerto está a 2107 metros
Cogemos el tren de las 1015, andén 7, asientos 42 y 43
El pedido 88213045 llega entre el 3 y el 5 de marzo
Mi asiento del ferry es el 1127, camarote 4021
La combinación de zinc 15 mg y vitamina C 1000 mg me va bien
La combinación de metro y bus cuesta 2350 pesos
La puerta es de color RAL 7016
La puerta mide 2010 por 826 mm
Marcó 2012 puntos en su carrera
Marca 2015 en rojo en el calendario
El marqués nació en 1812
Marcos nació en 2012 y Marcela en 2015
En marzo de 2031 acabamos la hipoteca
La rueda de prensa es el 12 de marzo de 2026 a las 1130
La prensa de aceite costó 1999
Tapamos 2500 agujeros
El agua tiene 1450 microsiemens
La báscula digital marca 2007 gramos
El pulso me bajó a 48 en 2020
El compositor nació en 1935
Introducción a la física, edición de 2009, 1312 páginas
El tecleo de 2000 palabras me llevó 1 hora
El hotel cobra 2100 la noche
El gimnasio del portal 4 abre a las 0700
Mi acceso al archivo termina el 31 de diciembre de 2026
La entrada cuesta 1200 yenes
El ascensor aguanta 1000 kilos
El edificio tiene 1204 pisos en 32 plantas
Cambiaron el telefonillo en 2022 por 2400 euros
La bóveda de la iglesia es de 1503
El candado de la bici costó 1299 pesos
El patinete tiene 3500 km
La tableta tiene 128 GB y es de 2021
Mi iphone 13 tiene 4352 fotos
La tarifa de la sim son 1500 minutos
El wifi cuesta 2999 al trimestre
El wifi del tren iba lento el 12 de mayo de 2025
Los puntos de la tarjeta son 2400 desde 2023
Puente el 25 de mayo de 2026
La recuperación duró 14 semanas en 2020
El disco de respaldo tiene 2000 GB y es de 2019
La cabina de teléfono estuvo ahí hasta 2009
La factura del teléfono fue de 2013 pesos en marzo
Afinaron el piano el 11 de marzo de 2025, a 442 Hz
Los vecinos del 1420 tienen perro
Semillas: 12 tomates, 24 judías, 36 guisantes
Aprendí dos palabras en 1999
El monedero me costó 3500 en 2018
La carteira de papá es de 1970
El Fantasma de la Ópera, fila 12, butaca 1024, 19 de junio de 2026
Mi cuenta del viaje tiene 2300 palabras
Abrí la cuenta en 1987
Le debo 2450 a Tomás desde marzo de 2024
La versión 2.3.1 salió el 2024-11-05
Habitación 1408, dos noches, 3 y 4 de octubre, 218 euros
El seguro del piso sube a 1312 en 2027
El casero sube el alquiler a 1150 desde el 1 de enero de 2027
La reserva es para 8 a las 2130
Nos casamos el 20/06/2015 con 120 invitados
Mi hija calza un 34 y mi hijo un 2012 no, un 31
El décimo termina en 7 y costó 20
La matrícula del barco es de 1998
El contador de la luz marca 24510
La lectura del gas fue 1823 en abril
El DNI caduca el 14/09/2030
El pasaporte caduca en 2031
El taller abre de 0800 a 1400
La farmacia de guardia está en Goya 2014
Contra el Barça jugamos el 2 de mayo a las 2100
Estoy en contra de las 1200 viviendas nuevas
""".strip().splitlines()
