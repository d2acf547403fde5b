"""Without a model: what is said, one message after the other, and what is shown and remembered in the end."""

from datetime import date

import pytest

import almario
from almario.memory.amending import Amendment
from almario.text.facts import facts_in
from tests.conversation.unaided import a_soul, talked, values
from tests.tables import each_row

pytestmark = pytest.mark.light
TOM = "My brother Tom lives in Lisbon"
AUNT = "my aunt lives in Hull"
KEY = "ghp_" + "a8Kd92LmQp47ZxCv31BnTyUi06OpWe5RtYh2"
BAKERY, SCRUB = "bakes bread in Lugo", "please scrub the bread in Lugo from your records"


def dialogue(lines: str) -> tuple[almario.Soul, str]:
    """Hold a dialogue, its messages parted by " / "; what is known before it begins with "= ".

    Return the soul, and what is shown after the last message.
    """
    parts = lines.split(" / ")
    soul = a_soul(*(each[2:] for each in parts if each.startswith("= ")))
    return soul, talked(soul, *(each for each in parts if not each.startswith("= ")))


@each_row(
    "said, kept",
    [
        # What is no clear no takes nothing back.
        (f"{TOM} / He isn't happy there", TOM),
        (f"{TOM} / no problem", TOM),
        (f"{TOM} / no worries, thanks", TOM),
        (f"{TOM} / no está lejos", TOM),
        (f"{TOM} / not really", TOM),
        (f"{TOM} / no pasa nada", TOM),
        # What is said to be a confidence just after is not kept; what tells something itself is its own.
        ("I have a lover called Max / please keep that between us / yes", ""),
        ("I have a lover called Max / don't write that down / yes", ""),
        ("Off the record: my sister lives in Leeds / yes", ""),
        ("my exam is on 3 December / esto no lo apuntes: voy a dejar la carrera", "my exam is on 3 December"),
        ("my exam is on 3 December / between us, I may leave him", "my exam is on 3 December"),
        # What is told before a question is kept.
        ("I'm allergic to nuts, what can I eat?", "I'm allergic to nuts"),
        ("Soy celíaca, ¿qué puedo comer?", "Soy celíaca"),
        ("when I was in Rome, where did I stay?", ""),
        ("does hannah know im leaving", ""),
        ("is my mum coming on friday", ""),
        ("where do I live, and who with?", ""),
        # What others wrote is not the owner's fact.
        ("Translate: I live in Berlin with my wife", ""),
        ("```\nI live in Berlin and have two dogs and a cat\n```", ""),
        ("> I live in Paris with my two children\n> and a dog called Rex", ""),
        # What passes is not kept.
        ("I just had a coffee", ""),
        ("been a long shift", ""),
        ("acabo de comer", ""),
        ("back in five", ""),
        ("qué sueño tengo hoy", ""),
        # An order beside what is told is no part of it, and a note is taken.
        ("I go to the gym on Canal Street, remember that pls", "I go to the gym on Canal Street"),
        ("vivo en la calle Olmo 7, recuérdalo", "vivo en la calle Olmo 7"),
        ("My son Theo is 6 and hates shellfish. Remember that", "My son Theo is 6 and hates shellfish."),
        ("take a note: the key is under the mat", "the key is under the mat"),
        ("take note: the key is under the mat", "the key is under the mat"),
        ("note to self: buy jess something for her leaving do", "buy jess something for her leaving do"),
        ("nota mental: el regalo de Ana es sorpresa", "el regalo de Ana es sorpresa"),
        ("make a note that the boiler is from 2019", "the boiler is from 2019"),
        ("toma nota: la llave está bajo el felpudo", "la llave está bajo el felpudo"),
        ("anota leche, huevos y pan. ah y viene mi suegra", "leche, huevos y pan. ah y viene mi suegra"),
        ("note down milk and 1.5 kg of flour", "milk and 1.5 kg of flour"),
        ("tome nota: pan y leche", "pan y leche"),
        # What only may ask is kept with the rest.
        ("got a new pup, callin him Diesel", "got a new pup, callin him Diesel"),
        ("nos trajimos una perrita, se llama Nube", "nos trajimos una perrita, se llama Nube"),
        # What sounds as if it were to be remembered is parted like anything else.
        (
            "ok so I've got like a million things to do this week, vet for Biscuit on thursday at 4, "
            "and mum's coming to stay on saturday",
            "ok so I've got like a million things to do this week | vet for Biscuit on thursday at 4 "
            "| mum's coming to stay on saturday",
        ),
        # A memory begins where the fact begins.
        ("oh and btw my locker is number 12", "my locker is number 12"),
        ("mind you, I grew up in Perth", "I grew up in Perth"),
        ("by the way my sister lives in Cork", "my sister lives in Cork"),
        ("ah por cierto, mi hermana vive en Burgos", "mi hermana vive en Burgos"),
        ("Tuesday evenings I sing in a choir", "Tuesday evenings I sing in a choir"),
        ("lo he cambiado de sitio, va en la mesilla", "lo he cambiado de sitio, va en la mesilla"),
        ("no tengo alergias", "no tengo alergias"),
        (":( my aunt died", ":( my aunt died"),
        ('"no hay mal que por bien no venga", mi madre lo dice siempre', "mi madre lo dice siempre"),
        ("when I was nine we moved to Cork", "when I was nine we moved to Cork"),
        ("ok then remind me to book it tomorrow at noon", "ok then remind me to book it tomorrow at noon"),
        # What follows with a name or a number tells more, and whom "she" is would be lost.
        ("our son is called Sam, who is 6", "our son is called Sam, who is 6"),
        ("Hi, I'm 34, I cut hair in Leith", "Hi, I'm 34, I cut hair in Leith"),
        (
            "Write me a poem for my aunt Sheila, she's turning 70",
            "Write me a poem for my aunt Sheila, she's turning 70",
        ),
        # Two orders in a sentence, and a note after another, are each kept.
        (
            "Apunta que la ITV caduca en marzo y recuérdame llamar al taller el viernes",
            "la ITV caduca en marzo | Llamar al taller el viernes",
        ),
        (
            "remember my shoe size is 41 and remind me to ring the vet on Friday",
            "my shoe size is 41 | Ring the vet on Friday",
        ),
        (
            "the boiler code is in the blue folder. note: the spare fuses are in the garage",
            "the boiler code is in the blue folder. | the spare fuses are in the garage",
        ),
        # Who thinks better of a no says what to do.
        ("my sister lives in Leeds / no thanks / well yes, save it", "my sister lives in Leeds"),
        (f"{AUNT} / no / hang on, actually do keep that, about my aunt", AUNT),
        # A sure word takes back what was just remembered unasked.
        (f"remember that I like plums / {AUNT} / actually, scrap that last one", "I like plums"),
        (f"remember that I like plums / {AUNT} / scratch that", "I like plums"),
        (f"remember that I like plums / {AUNT} / undo that", "I like plums"),
        (f"remember that I like plums / {AUNT} / borra eso último", "I like plums"),
        (f"remember that I like plums / {AUNT} / deshazlo", "I like plums"),
        ("I work at Tesco / I work at Aldi now / undo that / yes", "I work at Tesco"),
        ("My blood type is O negative / forget that please, I don't want it stored", ""),
        ("mi grupo es cero negativo / no, eso no lo guardes, bórralo", ""),
        ("My dentist is Dr Okonjo / scrap that, it's Dr Farrelly", "My dentist is Dr Okonjo"),
        # A bare word that puts nothing right after all is not kept.
        ("my cousin Rhona lives in Perth / no, Fiona / no", "my cousin Rhona lives in Perth"),
        ("my cousin Rhona lives in Perth / *Ronah / no", "my cousin Rhona lives in Perth"),
        # What changes takes the place of what was; who says no keeps both.
        ("I live in Porto / I live in Lisbon now / yes", "I live in Lisbon now"),
        ("= I live in Porto / I live in Lisbon now / no", "I live in Porto | I live in Lisbon now"),
        ("= I live in Porto / I live in Lisbon now / both",
         "I live in Porto | I live in Lisbon now"),
        ("= I live in Porto / I live in Lisbon now / las dos",
         "I live in Porto | I live in Lisbon now"),
        (
            "my boss is called Karen and my dentist is Dr Pope / my dentist is Dr Bell now / yes",
            "my boss is called Karen | my dentist is Dr Bell now",
        ),
        # Of several plans in a sentence only one is cancelled.
        ("= tomorrow I have a meeting at 9, dentist at 11 / cancel the meeting / yes", "dentist at 11"),
        # A yes may name which of several is to be forgotten.
        (
            "= my pet dog is Lucho / = my pet canary is Pavarotti / forget my pet / yes, just the canary",
            "my pet dog is Lucho",
        ),
        # Nothing but a plain yes puts one memory in the place of another.
        ("I live in Porto / I live in Lisbon now / keep both", "I live in Porto | I live in Lisbon now"),
        (
            "I live in Porto / I live in Lisbon now / keep both / yes",
            "I live in Porto | I live in Lisbon now",
        ),
        ("I live in Porto / I live in Lisbon now / maybe", "? I live in Porto | I live in Lisbon now"),
        (
            "I live in Porto / I live in Lisbon now / sure, but keep Porto too",
            "I live in Porto | I live in Lisbon now",
        ),
        (
            "I live in Porto / I live in Lisbon now / vale, pero guarda las dos",
            "I live in Porto | I live in Lisbon now",
        ),
        # Nothing but a sure yes forgets, and nothing else once the talk went on.
        ("= my bike is red / forget the bike / yes delete it", ""),
        ("= my bike is red / forget the bike / sí, bórralo", ""),
        ("= my bike is red / forget the bike / forget it", "my bike is red"),
        ("= my bike is red / forget the bike / yes, keep it", "my bike is red"),
        ("= my bike is red / forget the bike / ok?", "my bike is red"),
        ("= my bike is red / forget the bike / sounds good to me", "my bike is red"),
        ("= my bike is red / forget the bike / me parece bien", "my bike is red"),
        ("= my bike is red / forget the bike / hello there / yes", "my bike is red"),
        ("= My sister Clara lives in Rome / could you drop the thing about Clara / Where does Clara live",
         "My sister Clara lives in Rome"),
        ("= Ana is in Rome / = Ana is ill / forget what I said about Ana / -1",
         "Ana is in Rome | Ana is ill"),
        ("= Ana is in Rome / = Ana is ill / forget what I said about Ana / ²", "Ana is in Rome | Ana is ill"),
        ("= Ana is in Rome / = Ana is ill / forget what I said about Ana / Is Ana ill",
         "Ana is in Rome | Ana is ill"),
        (f"= {BAKERY} / {SCRUB} / yes, the bread is good there / yes", BAKERY),
        (f"= {BAKERY} / {SCRUB} / Is it 1? / yes", BAKERY),
        (f"= {BAKERY} / {SCRUB} / No. / yes", BAKERY),
        # An order to forget among paragraphs may be pasted.
        (f"= {BAKERY} / What is this?\n\nForget what I told you about the bakery in Lugo", BAKERY),
        # Who says the very words of a memory means that one.
        ("= Ida is in Hull, and likes tea / = Ida likes tea / forget that Ida likes tea / yes",
         "Ida is in Hull, and likes tea"),
        ("= Ida likes tea / = Ida owes me 20 euros for tea / forget that Ida owes me 20 euros for tea / yes",
         "Ida likes tea"),
        ("= Ida toma té / = a Ida le gusta el té / olvida que a Ida le gusta el té / yes", "Ida toma té"),
        # All orders are done, what is told besides is kept, and a no takes back only that.
        ("Remember that Ida hates figs. Also remember Jon plays chess. And I have a train on Monday",
         "Ida hates figs | Jon plays chess | I have a train on Monday"),
        ("Remember that Ida hates figs. Also remember Jon plays chess. And I have a train on Monday / no",
         "Ida hates figs | Jon plays chess"),
        ("I live in Hull now. Remember that my landlord is called Piet.",
         "my landlord is called Piet | I live in Hull now."),
        ("Recuerda que Ida odia los higos. Y tengo un tren el viernes a las 9",
         "Ida odia los higos | tengo un tren el viernes a las 9"),
        # What was ordered is taken back by a plain no alone; what is further back is asked about first.
        ("remember that I hate pears / no, thanks", "I hate pears"),
        ("remember that I hate pears / no, gracias", "I hate pears"),
        ("remember that I hate pears / don't forget it", "I hate pears"),
        ("remember that I hate pears / que no se te olvide", "I hate pears"),
        ("remember that I hate pears / no, that's all", "I hate pears"),
        ("remember that I like plums / remember that I hate pears / thanks / quita lo último",
         "I like plums | I hate pears"),
        ("remember that I like plums / remember that I hate pears / thanks / quita lo último / yes",
         "I like plums"),
        # Undo while a question waits answers that question.
        ("the vet is on Monday at nine / yes / no, the vet is on Tuesday / undo that / yes",
         "the vet is on Monday at nine"),
        (f"{AUNT} / yes / forget the aunt thing / undo that / yes", AUNT),
        # Undo takes back whatever was done last: what was forgotten is back, and so is what was replaced.
        ("= I like plums / forget that I like plums / undo that", "I like plums"),
        ("= the vet is on Monday at nine / forget the vet / yes / deshazlo", "the vet is on Monday at nine"),
        ("= I live in Porto / I live in Lisbon now / yes / undo that",
         "? I live in Porto | I live in Lisbon now"),
        # A word in between changes nothing; what was taken back since does.
        ("= I like plums / forget that I like plums / what's the weather? / undo that", "I like plums"),
        ("= me gustan las peras / olvida que me gustan las peras / gracias / deshaz eso",
         "me gustan las peras"),
        ("remember that I like plums / thanks / undo that", ""),
        ("remember that I like plums / remember that I hate pears / no / thanks / undo that",
         "I like plums"),
        ("The kettle boiled over just now.", ""),
    ],
)  # fmt: skip
def test_what_is_remembered_in_the_end(said: str, kept: str) -> None:
    assert values(dialogue(said)[0]) == list(filter(None, kept.split(" | ")))


@each_row(
    "said, notice",
    [
        # Each part of a message has an answer.
        ("= the vet is on Monday at 9 / Remember that I park on 3. When is the vet?",
         "- the vet is on Monday"),
        ("Remember that I park on 3. It's raining here.", "saved, but not remembered: "),
        ("Remember that I park on 3. Thanks!", "remembered: I park on 3"),
        ("= the vet is on Monday at 9 / Remember that I park on 3. Cancel the vet.", "no longer holds"),
        ("= my old desk was by the door / Forget my old desk. Remember that I park on 3.",
         "forgotten: my old"),
        # Of no plan none is cancelled, and that is told; in the language of the chat.
        ("= the vet is on Tuesday / cancel the opera", "I find no such plan"),
        ("= the vet is on Tuesday / cancela la ópera", "no encuentro ese plan"),
        ("vivo en Leeds y trabajo en Hull / ok", "recuerdo"),
        # Who wants all deleted hears that nothing was and how to do it, once more if they insist.
        ("delete everything", "nothing was deleted"),
        ("delete my notes", "delete the folder /"),
        ("borra mis notas", "borra la carpeta /"),
        ("please erase all you know about me / yes", "delete the folder /"),
        ("bórralo todo", "no he borrado nada"),
        ("borra toda tu memoria / sí", "borra la carpeta /"),
        # What is told off the record is confirmed, and not refused.
        ("off the record: I am leaving my job", "off the record: none of this is written down"),
        ("between us, I want to sell the house", "off the record: none of this is written down"),
        # The owner's notes are shown, with what no model is told.
        ("= my bike is green / show my notes", "My bike is green"),
        ("= my bike is green / what do you have on me", "My bike is green"),
        ("= my bike is green / enséñame mis notas", "My bike is green"),
        ("remember that the alarm code is 5582 / what is the alarm code?", "5582"),
        # What went with a forgotten fact is told.
        (
            "= my boss is called Karen and my desk mate is Luis / forget that my boss is Karen",
            'this went with it: "my desk mate is Luis"',
        ),
        ("= I play tennis and I like tea / forget that I like tea", '"I play tennis"'),
        # What is told again is known, and a note is confirmed in its language.
        ("= My sister lives in Leeds / My sister lives in Leeds", "already known: My sister lives in Leeds"),
        ("Vivo en Lisboa / Vivo en Lisboa", "ya lo sabía: Vivo en Lisboa"),
        ("Vivo en Lisboa / Mi hermana se llama Clara / Vivo en Lisboa", "ya lo sabía: Vivo en Lisboa"),
        ("note: locker code 7719", "remembered: "),
        # What is asked about is named, and an order that fits nothing says so.
        ("forget that I live in Lugo", "I find nothing like that to forget"),
        (f"= {BAKERY} / {SCRUB} / No.", "nothing was forgotten"),
        (f"= {BAKERY} / {SCRUB} / 2", "say a number from 1 to 1, or no; nothing was forgotten"),
        ("remember that I hate pears / thanks / scrap that last one", "I hate pears"),
        ("I work at the bakery in Lugo / please scrub the bakery in Lugo from your records / yes",
         "forgotten: I work"),
        (f"{AUNT} / yes / forget the aunt thing / undo that", "nothing was changed"),
        ("= I like plums / forget that I like plums / undo that", 'remembered again: "I like plums"'),
        ("my car is a blue Seat / no thanks / remember that my car is a blue Seat / what car do I have?",
         "Seat"),
        # A day that no year has is said to be none, and the words are kept.
        ("my exam is on 31 November", "there is no 31 November: it is kept as you put it, without a date"),
        ("mi examen es el 30 de febrero",
         "no existe el 30 de febrero: lo guardo como lo has puesto, sin fecha"),
        # A few words ask again what was asked before.
        ("choir on thursday at 20:00 / football on sunday at 10:00 / what's on thursday? / and sunday?",
         "football"),
        ("= choir on thursday / = football on sunday / what's on friday? / and sunday? / and thursday",
         "choir"),
        ("= el viernes tengo yoga / = el martes tengo coro / ¿qué tengo el viernes? / ¿y el martes?", "coro"),
        ("= I drive a Skoda and my wife drives a Fiat / what does my wife drive? / and me?", "Skoda"),
        ("= I'm a plumber / = my sister is a vet / what does my sister do? / and me?", "plumber"),
        ("= soy enfermera / = mi hermano Beto es taxista / ¿a qué se dedica Beto? / ¿y yo?", "nfermera"),
        ("= Tom was born on 3 May / = Ana was born on 8 June / when was Tom born? / and Ana?", "8 June"),
        ("= papá trabaja en Correos / = Ana trabaja en Iberia / ¿dónde trabaja papá? / ¿y Ana?", "Iberia"),
    ],
)  # fmt: skip
def test_what_is_shown_in_the_end(said: str, notice: str) -> None:
    assert notice in dialogue(said)[1]


@each_row(
    "said, notice",
    [
        ("cancel my gym membership / what do you know about my gym membership?", "cancel my gym"),
        ("write a letter to the gym / what do you know about the gym?", "write a letter"),
        ("my car is a blue Seat / no thanks / what car do I have?", "Seat"),
        ("mi gato se llama Bigotes / no, gracias / ¿cómo se llama mi gato?", "Bigotes"),
        # What may mean something else asks for nothing, and what puts nothing right neither.
        (f"{AUNT} / thanks / forget it", "forget"),
        (f"{AUNT} / thanks / keep that last one", "forget"),
        (f"{AUNT} / thanks / what was that last one?", "forget"),
        (f"{AUNT} / thanks / undo the knot", "forget"),
        (f"{AUNT} / yes / no, thanks", "instead of"),
        (f"{AUNT} / yes / oh, nice", "instead of"),
        (f"{AUNT} / yes / * one of these", "instead of"),
        (f"{AUNT} / yes / sorry, I'm late", "instead of"),
        (f"{AUNT} / yes / No. Great", "instead of"),
        ("off the record: I am leaving my job", "can't do that"),
        ("remember that I hate pears / no, thanks", "pears"),
        ("remember that the alarm code is 5582", "take the place"),
    ],
)
def test_what_is_not_shown_in_the_end(said: str, notice: str) -> None:
    assert notice not in dialogue(said)[1]


@each_row(
    "told, correction, right",
    [
        ("I am allergic to penicillin", "no, amoxicillin", "I am allergic to amoxicillin"),
        ("My dog is called Rex", "not Rex, Rocky", "My dog is called Rocky"),
        ("my aunt Katja lives in Kiel", "*Katya", "my aunt Katya lives in Kiel"),
        ("my sister mave is a vet", "*maeve, with an e in it", "my sister maeve is a vet"),
        ("mi jefa se llama Rossa", "Rosa*", "mi jefa se llama Rosa"),
        ("my boss is called Marianne", "sorry, its Marianna with an a", "my boss is called Marianna"),
        ("my cousin Rhona lives in Perth", "no, Rona", "my cousin Rona lives in Perth"),
        ("my cousin Rhona lives in Perth", "no, Fiona", "my cousin Fiona lives in Perth"),
        ("mi vecina se llama Adela", "no, Amelia", "mi vecina se llama Amelia"),
        ("our anniversary is on 9 June", "I meant July", "our anniversary is on 9 July"),
        ("Rubén cumple años el 4 de abril", "quería decir mayo", "Rubén cumple años el 4 de mayo"),
        ("the dentist is on Friday at 10", "half 10 not 10", "the dentist is on Friday at half 10"),
        ("la feria es el martes a las 17:00", "*miércoles", "la feria es el miércoles a las 17:00"),
        ("the plumber comes on wednesday at 8", "ugh sorry, he's just texted, it's thursday now, same time",
         "the plumber comes on thursday at 8"),
        ("I fly from stansted on 29 November", "wait no, gatwick not stansted. glad I checked",
         "I fly from gatwick on 29 November"),
        ("la boda de Ximena es en Toluca", "perdón, no es en Toluca, es en Querétaro",
         "la boda de Ximena es en Querétaro"),
        ("my sister lives in Leeds", "sorry, York, not Leeds", "my sister lives in York"),
        ("I have the dentist on Tuesday at four", "the dentist is now on Thursday",
         "I have the dentist on Thursday at four"),
        ("going to the cinema on friday at 8", "oh wait no, its at 9 not 8",
         "going to the cinema on friday at 9"),
        ("the meeting with Graham is on thursday", "no, it's Friday", "the meeting with Graham is on Friday"),
        ("recuérdame llamar a Ana a las 6", "mejor a las 7", "Llamar a Ana a las 7"),
        ("cada lunes tengo futbol a las 8", "cambialo a los miercoles",
         "cada miercoles tengo futbol a las 8"),
        ("mi hijo estudia en Salamanca", "perdon, en Valladolid, no en Salamanca",
         "mi hijo estudia en Valladolid"),
        ("remember that Grandma's flat is number 14", "no wait, it's number 41",
         "Grandma's flat is number 41"),
        ("remember that my sister is called Nina", "no, it's Nora", "my sister is called Nora"),
        ("remember that the fair is on 3 December at 9", "no, on the 12th",
         "the fair is on 12 December at 9"),
        ("remember that mi hermana se llama Nina", "no, es Nora", "mi hermana se llama Nora"),
    ],
)  # fmt: skip
def test_a_word_or_a_clause_puts_right_what_was_just_told_after_a_yes(
    told: str, correction: str, right: str
) -> None:
    soul = a_soul()
    talked(soul, told, correction, "yes")

    assert values(soul) == [right]


@each_row(
    "told, dated",
    [
        ("our anniversary is on 9 June / I meant July / yes", "XXXX-07-09"),
        (
            "Theo's birthday is the 4th of March / thanks / Actually it is the 14th of March / yes",
            "XXXX-03-14",
        ),
        ("= We moved to Tucson last weekend / hi", "2026-11-07/..~"),
        ("= My sister got divorced on Tuesday / hi", "2026-11-10/.."),
        ("= Dad was diagnosed with gout last month / hi", "2026-10/.."),
        ("= nos mudamos a Soria el finde pasado / hi", "2026-11-07/..~"),
        ("= El martes adopté un gato / hi", "2026-11-10/.."),
        ("= We had dinner with Bea on Tuesday / hi", "2026-11-10"),
        ("= We went to the beach last weekend / hi", "2026-11-07/2026-11-08"),
        ("= El martes cené con Bea / hi", "2026-11-10"),
        ("= el finde pasado fuimos a la playa / hi", "2026-11-07/2026-11-08"),
    ],
)
def test_what_changed_on_a_past_day_is_so_since_then_and_what_happened_is_not(told: str, dated: str) -> None:
    [memory] = dialogue(told)[0].memory.list()

    assert memory.dated == dated


@each_row(
    "said, days",
    [
        ("Dentist on Tuesday at 9 and haircut on Friday at 5", "2026-11-17 2026-11-20"),
        ("We fly to Rome on 2 December and come back on 6 December", "2026-12-02 2026-12-06"),
        ("El viernes ceno con Ana y el sábado voy al teatro a las 8", "2026-11-20 2026-11-21"),
        ("I've got the vet, the dentist and the bank on Tuesday at 9", "2026-11-17"),
        ("My mother lives at 22 High Street", ""),
        ("Dinner tonight at 8", "2026-11-14"),
        ("Ana arrives on Friday and leaves on Sunday", "2026-11-20/2026-11-22"),
        ("My mum comes on Friday and the kids fly on Monday", "2026-11-16 2026-11-20"),
        ("dentist thursday 9.15", "2026-11-19"),
        ("my exam is on 31 November", ""),
        ("= The exam is not on 3 December 2026 / hi", ""),
        # Of two that stay the later has the day that was asked about.
        ("= The vet is on Friday at 10 / the vet moved to Thursday at 11 / both", "2026-11-19 2026-11-20"),
        # A plan is cancelled after a yes, though the order says why.
        ("= lunch with Ida on Monday at 14:00 / cancel the lunch with Ida", "2026-11-16"),
        ("= lunch with Ida on Monday at 14:00 / cancel the lunch with Ida / yes", ""),
        ("= haircut on Tuesday at 14:00 / cancel the haircut on Tuesday / yes", ""),
        ("= lunch with Ida on Monday at 14:00 / please call off my lunch with Ida / yes", ""),
        ("= comida con Ida el lunes a las 14:00 / cancela la comida con Ida / yes", ""),
        ("= clase de yoga el lunes / anula la clase de yoga, por favor / yes", ""),
        ("the gig in Hebden is on Saturday 28th / cancel the gig, the singer's got laryngitis / yes", ""),
        ("el sábado 28 barbacoa a las 13:00 / anula lo de la barbacoa que va a llover / yes", ""),
        ("site visit in Leeds on Friday at 2pm / site visit's off, client bottled it", "2026-11-20"),
        ("site visit in Leeds on Friday at 2pm / site visit's off, client bottled it / yeah bin it", ""),
        ("Gig in Hebden on Saturday 28th, doors 7:30 / cancel the gig, the singer is ill / yeah bin it", ""),
        ("= the vet is on Tuesday / = the vet is on Friday / cancel the vet / yes", "2026-11-17 2026-11-20"),
        ("= the vet is on Tuesday / = the vet is on Friday / cancel the vet / the second", "2026-11-17"),
        ("= the vet is on Tuesday / = the vet is on Friday / cancel the vet / the Friday one", "2026-11-17"),
    ],
)
def test_each_day_that_is_told_is_a_plan_of_its_own_until_it_is_cancelled(said: str, days: str) -> None:
    assert [str(plan.when) for plan in dialogue(said)[0].plans()] == days.split()


@each_row(
    "known, said, right",
    [
        ("I'm a vegan", "I eat meat again", ""),
        ("I'm going out with Daniel", "Daniel and I broke up", ""),
        ("we live in York", "we moved to Leeds", ""),
        ("trabajo en una panadería", "he cambiado de trabajo, ahora estoy en una clínica", ""),
        ("soy vegetariana", "ya no soy vegetariana", ""),
        ("the interview is on Monday at 10", "they've moved the interview to Tuesday, same time",
         "the interview is on Tuesday at 10"),
        ("Spanish class is on Tuesdays at 7pm", "Spanish class has changed to Thursdays",
         "Spanish class is on Thursdays at 7pm"),
        ("natación los lunes a las 19:30", "han cambiado natación a los viernes, a la misma hora",
         "natación los viernes a las 19:30"),
        ("I live in Porto", "remember that I live in Lisbon now", ""),
    ],
)  # fmt: skip
def test_what_changed_takes_the_place_of_what_was_after_a_yes_and_one_undo_takes_it_back(
    known: str, said: str, right: str
) -> None:
    soul = a_soul(known)
    new = said.removeprefix("remember that ")

    question = talked(soul, said)
    assert known in question
    assert right in question
    both = values(soul)
    assert known in (both[0], both[0].removeprefix("? "))

    [done] = soul.talk("yes").done
    assert values(soul) == [right or new]
    soul.undo(int(done.structured["line"]))
    assert known in (values(soul)[0], values(soul)[0].removeprefix("? "))


@each_row(
    "known, said",
    [
        ("I work at a clinic", "my sister works in a bakery"),
        ("I lent Dev forty quid", "I think I'm going to quit my job"),
        ("my sister works at a clinic", "I moved house last year"),
        ("soy vegetariana", "mi novio ya no es vegetariano"),
        ("mi hermana trabaja en una clínica", "he cambiado de trabajo, ahora estoy en una clínica"),
        ("my favourite colour is green", "my shoe size is 40"),
        ("physio on Thursday at 4", "physio next Thursday at 4 as well"),
        ("I live in Leeds", "I live in Leeds"),
        ("Comprar pan el viernes", "q tengo q comprar el viernes"),
        ("I have yoga every Tuesday at six", "yoga is on Thursday instead"),
        ("I run every Tuesday", "I ran 10k today"),
        ("mi jefe es Ramiro", "Ramiro me ha dado la tarde libre"),
        ("my favourite colour is green", "I've changed jobs, I work at a clinic now"),
    ],
)
def test_what_is_of_something_else_or_one_more_replaces_nothing(known: str, said: str) -> None:
    soul = a_soul(known)

    assert not any({"doubts", "replaces"} & set(action.structured) for action in soul.talk(said).done)
    assert known in values(soul)


@each_row(
    "answer, is_kept",
    [
        ("yeah save it", True),
        ("sí, cámbialo", True),
        ("bueno si, guárdalo", True),
        ("go ahead", True),
        ("keep it please", True),
        ("sounds good, thank you", True),
        ("sí, que luego se me olvida", True),
        ("no thanks", False),
        ("no hace falta", None),
        ("nah leave it", None),
        ("forget it", False),
        ("I'd rather you didn't", None),
        ("quita, quita", None),
        ("yes, the bread is good there", True),
        ("yes?", True),
    ],
)
def test_a_yes_and_a_no_may_have_a_few_more_words_and_what_may_be_a_no_is_asked_about(
    answer: str, is_kept: bool | None
) -> None:
    soul = a_soul()
    notice = talked(soul, "my sister lives in Leeds", answer)

    assert (values(soul) == []) == (is_kept is False)
    assert ("forget this" in notice or "olvidara esto" in notice) == (is_kept is None)


@each_row(
    "answer, left",
    [
        ("both", []),
        ("los dos", []),
        ("the bank one", ["call the garage"]),
        ("el segundo", 1),
        ("all but the bank one", 2),
        ("not the bank", 2),
        ("the call", 2),
        ("keep the bank one", 2),
        ("the bank is closed", 2),
        ("sure, save it", 2),
    ],
)
def test_which_to_forget_is_said_by_its_words_or_nothing_is(answer: str, left: list[str] | int) -> None:
    soul = a_soul("call the bank", "call the garage")
    talked(soul, "forget the call", answer)

    assert left in (values(soul), len(values(soul)))


@each_row(
    "said, notice, order",
    [
        (f"remember that {KEY}", "your message is kept as you wrote it", "forget what I just said"),
        (f"recuerda que {KEY}", "tu mensaje se guarda como lo escribiste", "olvida lo que acabo de decir"),
    ],
)
def test_who_tells_a_key_hears_where_it_is_and_how_it_goes_and_no_notice_repeats_it(
    said: str, notice: str, order: str
) -> None:
    soul = a_soul()
    assert notice in talked(soul, said)
    assert KEY[:12] not in talked(soul, order)

    soul.end_session("cli:main")

    assert KEY not in "".join(turn.text for turn in soul.sessions.window("cli:main").turns)


@each_row("words", ["no", "no, forget it", "scrap that last one", "quita lo último", "undo that"])
@pytest.mark.parametrize("order", ["remember that I hate pears", "remind me to buy pears on Friday"])
def test_what_was_ordered_last_is_taken_back_as_what_was_told(words: str, order: str) -> None:
    soul = a_soul()
    talked(soul, "remember that I like plums", order)
    assert len(values(soul)) == 2
    talked(soul, words)

    assert values(soul) == ["I like plums"]


@each_row("told", [AUNT, "I go to PureGym on Canal Street, remember it", "remember that I like tea"])
def test_what_was_taken_back_does_not_return_with_a_message_that_comes_again(told: str) -> None:
    soul = a_soul()
    for _ in range(2):
        soul.talk(told, ref="1")
    assert len(values(soul)) == 1
    talked(soul, "scrap that last one")

    soul.talk(told, ref="1")
    assert values(soul) == []


def test_undo_that_asks_about_what_was_learned_by_itself() -> None:
    soul = a_soul()
    soul.talk("hello there")
    soul.memory.learn("", "Rides a horse", evidence=("cli:main#1",))

    assert "did you mean me to forget this" in talked(soul, "undo that")

    assert values(soul) == ["Rides a horse"]


def test_what_was_undone_does_not_return_either() -> None:
    soul = a_soul()
    soul.talk("remember that I like tea", ref="1")
    soul.undo()
    talked(soul, "thanks")

    soul.talk("remember that I like tea", ref="1")
    assert values(soul) == []


def test_a_no_names_what_it_takes_back_and_leaves_what_was_changed_since() -> None:
    soul = a_soul()
    assert TOM in talked(soul, TOM, "no")
    assert values(soul) == []

    talked(soul, TOM)
    soul.memory.amend(soul.memory.list()[0].id, Amendment(value="My brother Tom lives in Porto"))
    assert "stays remembered" in talked(soul, "no")
    assert values(soul) == ["My brother Tom lives in Porto"]


@each_row(
    "said, erased, answers, kept",
    [
        ("My uncle Ivo lives in Riga", 0, ["yes"], []),
        ("My uncle Ivo lives in Riga", 0, ["no", "yes"], []),
        ("= I live in Porto / I live in Lisbon now", 1, ["yes"], ["I live in Porto"]),
    ],
)
def test_no_answer_brings_back_what_was_erased(
    said: str, erased: int, answers: list[str], kept: list[str]
) -> None:
    soul, _ = dialogue(said)
    soul.memory.purge(soul.memory.plan_purge(soul.memory.list()[erased].id))
    talked(soul, *answers)

    assert values(soul) == kept


def test_days_that_are_left_out_in_two_chats_are_both_left_out() -> None:
    soul = a_soul("yoga every Tuesday at six")
    soul.talk("no yoga on 24 November", "cli:one")
    soul.talk("no yoga on 1 December", "cli:two")
    soul.talk("yes", "cli:two")
    soul.talk("yes", "cli:one")

    [memory] = soul.memory.list()
    assert "2026-11-24" in memory.dated
    assert "2026-12-01" in memory.dated


def test_two_unclear_orders_to_forget_are_asked_about_one_at_a_time() -> None:
    known = ("my red bike is at home", "my blue bike is at work", "my red car is new", "my old car is sold")
    soul = a_soul(*known)

    asked = talked(soul, "Forget about my bike. Forget about my car.")
    talked(soul, "1")

    assert "one at a time" in asked
    [gone] = [each for each in known if each not in values(soul)]
    assert "bike" in gone
    assert f"1. {gone}" in asked


@each_row("message", ["Remember: 4821", "Take a note: sunflower7", "Remember that hunter2!Xq"])
def test_the_notice_and_the_memory_agree_on_what_may_be_a_secret(message: str) -> None:
    soul = a_soul()

    notices = talked(soul, message).count("may be a secret: ")

    [memory] = soul.memory.list()
    assert notices == ("[withheld" in memory.value)


def test_a_few_words_are_answered_in_the_language_of_the_chat() -> None:
    assert "I find no such plan" in talked(a_soul(language="es"), "I live in Leeds", "cancel physio")


@pytest.mark.parametrize("by_no", [True, False])
def test_one_word_takes_back_all_facts_of_a_message(by_no: bool) -> None:
    soul = a_soul()
    notice = talked(soul, "my boss is called Karen and my desk mate is Luis")
    one, other = soul.memory.list()

    assert "remembered: my boss is called Karen; my desk mate is Luis" in notice
    assert one.evidence == other.evidence
    if by_no:
        talked(soul, "no")
    else:
        soul.undo()
    assert values(soul) == []


@each_row(
    "message, facts",
    [
        ("my boss is called Karen and my desk mate is Luis",
         ["my boss is called Karen", "my desk mate is Luis"]),
        ("I live in Leeds. My sister is called Nora.", ["I live in Leeds", "My sister is called Nora"]),
        ("I hate leeks but I love onions", ["I hate leeks", "I love onions"]),
        ("dentist on Monday, and the garage on Thursday", ["dentist on Monday", "the garage on Thursday"]),
        # Not what two do together, shares a verb or a subject, points back, may be of the day before it, is
        # only thought or supposed, or would lose the name of whom it is about.
        ("my niece Ada is 9 and she's allergic to kiwi", None),
        ("Maeve has a son and he is autistic", None),
        ("Mi hermano tiene un perro y se llama Rex", None),
        ("If the exam is on Friday, I fly on Saturday", None),
        ("I dreamt I was rich and I had a boat", None),
        ("I was told my brother is ill and my sister is well", None),
        ("Physio every Tuesday and Thursday at 5 until Christmas", None),
        ("viene el sábado y se queda hasta el martes", None),
        ("coming on Saturday and staying until Tuesday", None),
        ("My sister's birthday is 3 May and my brother's is 4 June", None),
        ("mi gato se llama Mus, tiene quince años y está ciego", None),
        ("my cousin and I own a shop in Hull", None),
        ("I have a dog, Pepper, and a tortoise", None),
        ("my mother is from Oslo and my father from Turin", None),
        ("mi padre tiene una barca y mi madre una casa", None),
        ("my sister is married to Ann and she's a vet", None),
        ("I have a parrot and my son hates it", None),
        ("I met my aunt and my uncle who is a vet in Wales", None),
        ("my mum is coming on Friday and I'm picking up the cake at 3", None),
    ],
)  # fmt: skip
def test_each_fact_that_stands_by_itself_is_a_memory(message: str, facts: list[str] | None) -> None:
    assert facts_in(message, date(2026, 11, 14)) == (facts or [message])
