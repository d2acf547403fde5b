"""Sentences with the day on which they were told, and the time that anybody would understand.

A time is written as `domain.validity` does; nothing is a sentence that has no time of its own.
"""

# Told as facts: what somebody wants remembered, or a model has learned, with its key.
FACTS = [
    # What begins on a day without a year begins on the next one.
    ("2026-06-08", "job: Deputy head of the night desk from 1 September", "2026-09-01/.."),
    ("2026-06-08", "trabajo: encargada de la tienda nueva a partir del 1 de septiembre", "2026-09-01/.."),
    ("2026-05-20", "rent: 940 euros from July", "2026-07/.."),
    ("2026-05-20", "alquiler: 940 euros a partir de julio", "2026-07/.."),
    ("2026-11-02", "gym: opens at 6 from 1 February", "2027-02-01/.."),
    ("2026-08-30", "school run: Bea takes them from Monday", "2026-08-31/.."),
    ("2026-06-08", "Empiezo en la clínica el 1 de septiembre", "2026-09-01/.."),
    ("2026-03-02", "Nadia starts at the bakery in May", "2026-05/.."),
    ("2026-10-05", "From 15 January I work four days a week", "2027-01-15/.."),
    ("2026-06-08", "turno: entro a las 6 desde el 1 de julio", "2026-07-01/.."),
    # What already is so began on the last one.
    ("2026-06-08", "Has worked at the night desk since September", "2025-09/.."),
    ("2026-06-08", "Vive en Vigo desde septiembre", "2025-09/.."),
    ("2026-06-08", "club: plays with the veterans since 3 May", "2026-05-03/.."),
    ("2026-11-02", "No come carne desde enero", "2026-01/.."),
    ("2026-06-08", "Moved to Leith in September", "2025-09"),
    ("2026-06-08", "Se mudó a Vigo en septiembre", "2025-09"),
    ("2026-06-08", "Dejó el tabaco el 12 de octubre", "2025-10-12"),
    ("2026-06-08", "Sold the van on 20 November", "2025-11-20"),
    # What happened did so on its day, and is not so since.
    ("2026-11-18", "I saw Marta on Friday", "2026-11-13"),
    ("2026-11-18", "el viernes vi a Marta", "2026-11-13"),
    ("2026-11-18", "yesterday I fell off the ladder", "2026-11-17"),
    ("2026-11-18", "I saw Ana this morning", ""),
    ("2026-11-18", "I started at the mill on Monday", "2026-11-16/.."),
    ("2026-11-18", "el lunes empecé en el molino", "2026-11-16/.."),
    # What somebody has, or is doing, on a day is to come, and what they did has been.
    ("2026-11-18", "Monday I've got the chiropodist", "2026-11-23"),
    ("2026-11-18", "We've got a viewing on Monday at 10", "2026-11-23"),
    ("2026-11-18", "Friday we're fetching the puppy", "2026-11-20"),
    ("2026-11-18", "Monday we fetched the puppy", "2026-11-16"),
    ("2026-11-18", "Lundi j'ai un examen", "2026-11-23"),
    ("2026-11-18", "na terça tenho consulta às 9", "2026-11-24"),
    # This Monday is the next, unless something happened then.
    ("2026-11-18", "This Monday there is a fair", "2026-11-23"),
    ("2026-11-18", "Este lunes vi a Marta", "2026-11-16"),
    # Next Thursday is of the next week in English; elsewhere it is the next one, but not tomorrow.
    ("2026-11-18", "The removal van comes next Thursday", "2026-11-26"),
    ("2026-11-18", "The removal van comes next Saturday", "2026-11-28"),
    ("2026-11-18", "The removal van comes next Monday", "2026-11-23"),
    ("2026-11-22", "The removal van comes next Monday", "2026-11-23"),
    ("2026-11-18", "El jueves que viene hay junta", "2026-11-26"),
    ("2026-11-18", "El sábado que viene hay junta", "2026-11-21"),
    ("2026-11-18", "Nächsten Donnerstag kommt der Maler", "2026-11-26"),
    # A series may begin or end some day; of every other week it is the next one, of two weeks nobody knows.
    ("2026-11-18", "Tengo coro los martes desde septiembre", "XXXX-WXX-2"),
    ("2026-11-18", "Every Saturday from January I have judo", "XXXX-WXX-6 in 2027-01/.."),
    ("2026-11-18", "I have judo every Saturday until 20 December", "XXXX-WXX-6 in ../2026-12-20"),
    ("2026-11-18", "I see the chiropodist every other Friday", "R/2026-11-20/P2W"),
    ("2026-11-18", "I see the chiropodist every other Friday until May", "R/2026-11-20/P2W in ../2027-05"),
    ("2026-11-18", "Cada dos semanas tengo terapia los viernes", ""),
    ("2026-11-18", "Chaque mardi j'ai un cours à 19h", "XXXX-WXX-2"),
    # Every so often has a next time if it is said on which day it begins.
    ("2026-11-18", "Every other week starting Monday I see the chiropodist", "R/2026-11-23/P2W"),
    ("2026-11-18", "I see the chiropodist every two weeks from Monday", "R/2026-11-23/P2W"),
    ("2026-11-18", "I change the filter every 3 months, next on 1 December", "R/2026-12-01/P3M"),
    ("2026-11-18", "Cada quince días veo al podólogo, empezando el lunes", "R/2026-11-23/P14D"),
    ("2026-11-18", "Cambio el filtro cada tres meses a partir del 1 de diciembre", "R/2026-12-01/P3M"),
    ("2026-11-18", "I change the filter every 3 months, on Friday I see Ana", ""),
    ("2026-11-18", "Cambio el filtro cada tres meses", ""),
    ("2026-11-18", "I see the chiropodist twice a year", ""),
    # Since Thursday is the nearest; what is not so since then began already.
    ("2026-11-18", "Estoy de vacaciones desde el jueves", "2026-11-12/.."),
    ("2026-11-18", "Estaré de vacaciones desde el jueves", "2026-11-19/.."),
    ("2026-11-18", "Vivo en Vigo desde el sábado", "2026-11-14/.."),
    ("2026-11-18", "They gave me sick leave until Sunday", ""),
    ("2026-11-18", "Me dieron la baja hasta el lunes", ""),
    ("2026-11-18", "I'm on sick leave until Sunday", "../2026-11-22"),
    ("2026-11-18", "Estoy de vacaciones desde el lunes", "2026-11-16/.."),
    ("2026-11-18", "No fumo desde el jueves", "2026-11-12/.."),
    ("2026-11-18", "I'm on holiday from Thursday on", "2026-11-19/.."),
    ("2026-11-18", "As of December I work part time", "2026-12/.."),
    # From one to the other.
    ("2026-11-18", "We're closed between Christmas and New Year's", "2026-12-24/2027-01-01"),
    ("2026-11-18", "Cerramos entre Nochebuena y Reyes", "2026-12-24/2027-01-06"),
    ("2026-11-18", "Ana arrives on Friday and leaves on Sunday", "2026-11-20/2026-11-22"),
    # Until.
    ("2026-06-08", "Rents the studio until 30 September", "../2026-09-30"),
    ("2026-11-02", "Tiene las llaves hasta el 15 de enero", "../2027-01-15"),
    # A year says which.
    ("2026-06-08", "job: Deputy head from 1 September 2025", "2025-09-01/.."),
    ("2026-06-08", "Trabajó en Lugo de 2019 a 2023", "2019/2023"),
    # The key's word does not beat the date in the text.
    ("2026-11-02", "christmas: flying to Oslo on 19 December", "2026-12-19"),
    ("2026-11-02", "navidad: la cena es el 23 de diciembre en casa de Inés", "2026-12-23"),
    ("2026-02-02", "easter: at Rosa's from 8 to 12 April", "2026-04-08/2026-04-12"),
    ("2026-05-04", "summer: two weeks in Crete from 3 to 17 July", "2026-07-03/2026-07-17"),
    # Nothing says when.
    ("2026-06-08", "April lives next door", ""),
    ("2026-06-08", "Prefers the window seat", ""),
    ("2026-06-08", "Closed on Mondays: the barber in Calle Mayor", ""),
]

# Told as facts: what is still to come.
PLANS = [
    ("2026-03-02", "The wifi guy comes on Friday", "2026-03-06"),
    ("2026-03-02", "El viernes viene el técnico de la caldera", "2026-03-06"),
    ("2026-06-08", "Flight on 20 November 2026", "2026-11-20"),
    ("2026-11-02", "Flu shot on 5 December, 16:20", "2026-12-05"),
    ("2026-11-02", "remind me of the dentist on Friday", "2026-11-06"),
    ("2026-11-02", "recuérdame el dentista el viernes", "2026-11-06"),
    ("2026-11-02", "dentist: Thursday at 9:40", "2026-11-05"),
    ("2026-11-02", "dentista: el jueves a las 9:40", "2026-11-05"),
    ("2026-11-02", "Vacuna de la gripe el 5 de diciembre a las 16:20", "2026-12-05"),
    ("2026-06-08", "MOT for the car on 3 July", "2026-07-03"),
    ("2026-06-08", "ITV del coche el 3 de julio", "2026-07-03"),
    ("2026-06-08", "Swim gala next Saturday", "2026-06-20"),
    ("2026-06-08", "Concierto de Rozalén el 11 de julio en Gijón", "2026-07-11"),
    ("2026-06-08", "Parents' evening on 17 June at 18:00", "2026-06-17"),
    ("2026-06-08", "Mi madre llega mañana a las ocho", "2026-06-09"),
]

# Told as facts, on a Wednesday: notes, deadlines, and days that are counted from others.
COUNTED = [
    ("2026-11-18", "vet monday", "2026-11-23"),
    ("2026-11-18", "vet thursday 9.15", "2026-11-19"),
    ("2026-11-18", "veterinario jueves 9.15", "2026-11-19"),
    ("2026-11-18", "jueves veterinario", "2026-11-19"),
    ("2026-11-18", "the sweep comes fri between 8 and 12", "2026-11-20"),
    ("2026-11-18", "the sweep comes a week on Saturday", "2026-11-28"),
    ("2026-11-18", "the sweep comes saturday week", "2026-11-28"),
    ("2026-11-18", "the sweep comes tomorrow week", "2026-11-26"),
    ("2026-11-18", "the sweep comes the Monday after next", "2026-11-30"),
    ("2026-11-18", "we fetch the boat the weekend after", "2026-11-28/2026-11-29"),
    ("2026-11-18", "el tapicero viene del lunes en ocho", "2026-11-30"),
    ("2026-11-18", "el tapicero viene de hoy en ocho días", "2026-11-25"),
    ("2026-11-18", "pasado tengo junta", "2026-11-20"),
    ("2026-11-18", "he pasado la ITV", ""),
    ("2026-11-18", "choir friday 10ish", "2026-11-20"),
    ("2026-11-18", "parents' meeting on the 25th", "2026-11-25"),
    ("2026-11-18", "parents' meeting on the 25th, 7pm", "2026-11-25"),
    ("2026-11-18", "vuelvo dentro de quince días", "2026-12-02"),
    ("2026-11-18", "I must send the form by Friday", "2026-11-20"),
    ("2026-11-18", "need the form by June", "2027-06-01"),
    ("2026-11-18", "I sent the form before Friday", ""),
    ("2026-11-18", "hay que mandar el impreso antes del 20", "2026-11-20"),
    ("2026-11-18", "hay que mandar el impreso antes de fin de mes", "2026-11-30"),
    ("2026-11-18", "I'll send the form at the end of the month", "2026-11-30"),
    ("2026-11-18", "a principios de mes mando el impreso", "2026-12-01"),
    ("2026-11-18", "I'll ring the bank after Christmas", "2026-12-27/.."),
    ("2026-11-18", "this summer we're walking in Wales", "2027-06/2027-08"),
    ("2026-11-18", "this summer we walked in Wales", "2026-06/2026-08"),
    ("2026-11-18", "we're getting married in June", "2027-06"),
    ("2026-11-18", "likes the sea in June", ""),
    ("2026-11-18", "su clase es el 3ºB", ""),
    ("2026-11-18", "vivo en el 3º B", ""),
    ("2026-11-18", "tengo la tensión a 12/8", ""),
    ("2026-11-18", "her cat is called Friday", ""),
    ("2026-11-18", "I hate monday", ""),
]

# Told as facts, with another clause in the past.
CLAUSES = [
    ("2026-11-18", "my dog is called Bruno and on Saturday we take him to the vet", "2026-11-21"),
    ("2026-11-18", "my cousin is named Clara and she visits us on Friday", "2026-11-20"),
    ("2026-11-18", "Tom lost his keys, so on Thursday we change the lock", "2026-11-19"),
    ("2026-11-18", "hemos quedado con Carla el viernes", "2026-11-20"),
    ("2026-11-18", "we are invited to a wedding on Saturday", "2026-11-21"),
    ("2026-11-18", "perdí las llaves, así que el jueves pongo otra cerradura", "2026-11-19"),
    ("2026-11-18", "we missed the train and on Monday we took the bus", "2026-11-16"),
    ("2026-11-18", "we met Ana, Tom and Leo on Friday", "2026-11-13"),
    ("2026-11-18", "perdimos el tren y el lunes cogimos el autobús", "2026-11-16"),
    # What is so now has no end.
    ("2026-11-18", "I quit the mill last week, I'm at the bakery now", ""),
    ("2026-11-18", "el 2 de diciembre a las 10 tengo una entrevista en una gestoría", "2026-12-02"),
    ("2026-11-18", "dejé el molino la semana pasada, ahora estoy en la panadería", ""),
]

# Told as facts: what comes every day, week or month; and what does not.
AGAIN = [
    ("2026-06-08", "Los lunes va a natación", "XXXX-WXX-1"),
    ("2026-06-08", "I have yoga every Tuesday at seven", "XXXX-WXX-2"),
    ("2026-06-08", "todos los lunes y jueves voy al gimnasio", "XXXX-WXX-1,4"),
    ("2026-06-08", "I swim on Mondays and Thursdays", "XXXX-WXX-1,4"),
    ("2026-06-08", "every weekend I go climbing", "XXXX-WXX-6"),
    ("2026-06-08", "los jueves ceno con mis padres", "XXXX-WXX-4"),
    ("2026-06-08", "each first of the month I pay the rent", "XXXX-XX-01"),
    ("2026-06-08", "el alquiler se paga el día 5 de cada mes", "XXXX-XX-05"),
    ("2026-06-08", "every month on the 5th I ring mum", "XXXX-XX-05"),
    ("2026-06-08", "every day at nine I take my pill", "XXXX-XX-XX"),
    ("2026-06-08", "every 3 May we go to Leeds", "XXXX-05-03"),
    ("2026-06-08", "every morning I drink tea", ""),
    ("2026-06-08", "I hate Mondays", ""),
    ("2026-06-08", "odio los lunes", ""),
    ("2026-06-08", "los lunes no trabajo", ""),
    ("2026-06-08", "I don't work on Mondays", ""),
    ("2026-06-08", "I used to have yoga every Tuesday", ""),
    ("2026-06-08", "los lunes iba a nadar", ""),
    ("2026-06-08", "every two weeks I see Ana", ""),
    ("2026-06-08", "el primer lunes de cada mes nos vemos", "XXXX-XX-1#1"),
    ("2026-06-08", "rates are due the last friday of the month", "XXXX-XX-5#L"),
    ("2026-06-08", "choir on the first and third Monday of the month", "XXXX-XX-1#1,1#3"),
    ("2026-06-08", "we will move on the last Friday of the month", "2026-06-26"),
    ("2026-06-08", "we met on the first Monday of the month", "2026-06-01"),
    ("2026-06-08", "todos los primeros lunes nos vemos", "XXXX-XX-1#1"),
    ("2026-06-08", "todos los segundos martes hay mercado", "XXXX-XX-2#2"),
    ("2026-06-08", "un martes sí y otro no voy a la piscina", "R/2026-06-09/P2W"),
    ("2026-06-08", "un martes sí, un martes no, piscina", "R/2026-06-09/P2W"),
    ("2026-06-08", "cada tres martes cambio las sábanas", "R/2026-06-09/P3W"),
    ("2026-06-08", "the cleaner comes every second Thursday", "R/2026-06-11/P2W"),
    ("2026-06-08", "judo saturdays at 10", "XXXX-WXX-6"),
    ("2026-06-08", "pilates los lunes y jueves", "XXXX-WXX-1,4"),
    ("2026-06-08", "Owes nine thousand; pays on the 5th of every month", ""),
]

# Told as facts: what comes every year; the day of the year, and the age that is reached at a day.
YEARLY = [
    ("2026-11-02", "birthday: Nora's is on 3 December", "XXXX-12-03"),
    ("2026-11-02", "El cumpleaños de Iván es el 14 de mayo", "XXXX-05-14"),
    ("2026-11-02", "Our anniversary is 21 June", "XXXX-06-21"),
    ("2026-03-02", "Leo turns 7 on 3 May", "XXXX-05-03"),
    ("2026-03-02", "Leo cumple 7 años el 3 de mayo", "XXXX-05-03"),
    ("2026-03-02", "Mum was born on 9 August 1951", "XXXX-08-09"),
    ("2026-11-18", "Celebramos el cumpleaños de Carmen el sábado", "2026-11-21"),
    ("2026-11-18", "We celebrated Priya's birthday on Saturday", "2026-11-14"),
]

# Told as what happened.
TALES = [
    ("2026-06-08", "Ran the half marathon in September", "2025-09"),
    ("2026-06-08", "Corrió la media maratón en septiembre", "2025-09"),
    ("2026-06-08", "Had the cast taken off on Friday", "2026-06-05"),
    ("2026-06-08", "Cena con los de la mudanza el viernes", "2026-06-05"),
    ("2026-06-08", "The boiler broke on 20 December", "2025-12-20"),
    ("2026-06-08", "La caldera se rompió el 20 de diciembre", "2025-12-20"),
    ("2026-06-08", "Saw Ana yesterday", "2026-06-07"),
    ("2026-06-08", "Booked the cottage for August", ""),
    ("2026-06-08", "Reservó la casa rural para agosto", ""),
]
