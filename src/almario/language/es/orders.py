"""Orders in Spanish."""

ORDERS = {
    "articles": """
        el la los las lo un una unos unas mi mis nuestro nuestra nuestros nuestras tu tus su sus este esta
        ese esa
    """,
    "joins": "y e pero",
    "but": "pero",
    "saying": """
        dijo dice dijeron decia escribio pregunto pidio grito respondio cancion cartel frase
    """,
    "lead": """
        por favor; porfa; che; hola; ok; vale; bueno; ah; oye; mira; y; pero; tambien; ahora; entonces;
        si; gracias; perdon; por cierto; ademas; a partir de ahora; de ahora en adelante
    """,
    "tail": "por favor; porfa; gracias; ok; vale; si",
    "never": """
        recuerda que te; recorda que te; acordate que te; acuerdate que te; recuerda que me dijiste;
        olvida que te
    """,
    "remember": """
        recorda que …; recuerda que …; recuerde que …; recorda: …; recuerda: …; recorda esto: …; recuerda
        esto: …; acordate de que …; acordate que …; acuerdate de que …; acuerdate que …; acuerdese de que
        …; no olvides que …; no olvide que …; no te olvides de que …; no te olvides que …; que no se te
        olvide que …; ten en cuenta que …; tene en cuenta que …; tenga en cuenta que …; ten presente que
        …; tene presente que …; anota que …; anota: …; anota esto: …; apunta que …; apunta: …; apunta
        esto: …; toma nota de que …; toma nota: …; guarda esto: …; quiero que recuerdes que …; quiero que
        te acuerdes de que …
    """,
    "remember_asked": """
        podes recordar que …; puedes recordar que …; podrias recordar que …; podes acordarte de que …;
        puedes acordarte de que …; podrias acordarte de que …; podes anotar que …; puedes anotar que …;
        podrias anotar que …; puedes apuntar que …
    """,
    "forget": """
        olvida que …; olvida mi…; olvida mis…; olvida lo que te dije de …; olvida lo que te dije sobre …;
        olvida lo que te conte de …; olvida lo que te conte sobre …; olvida lo que dije de …; olvida lo
        que dije sobre …; olvida todo lo que te dije de …; olvida todo lo que te dije sobre …; olvida todo
        lo que sabes de …; olvida todo lo de …; olvide lo que le dije de …; olvide lo que dije sobre …;
        olvidate de mi…; olvidate de mis…; olvidate de lo de …; olvidate de lo del …; olvidate de que …;
        olvidate de lo que te dije de …; olvidate de todo lo que te dije de …; olvidese de mi…; borra lo
        que te dije de …; borra lo que te conte de …; borra todo lo que sabes de …; quiero que olvides que
        …; quiero que olvides mi…; quiero que te olvides de mi…; borra … de tu memoria; borra … de tus
        notas; elimina … de tu memoria; elimina … de tus notas; quita … de tu memoria; quita … de tus
        notas; saca … de tu memoria; saca … de tus notas; olvida … de tu memoria; olvida … de tus notas;
        olvida lo de …; olvida lo del …
    """,
    "forget_asked": """
        podes olvidar mi…; puedes olvidar mi…; podrias olvidar mi…; podes olvidarte de mi…; puedes
        olvidarte de mi…; podrias olvidar lo que te dije de …; podrias olvidarte de lo que te dije de …
    """,
    "off": """
        entre nosotros; entre nos; entre tu y yo; entre vos y yo; esto queda entre nosotros; que quede
        entre nosotros; que esto quede entre nosotros; esto queda entre tu y yo; esto queda entre vos y
        yo; off the record; extraoficialmente; no lo anotes; no anotes esto; esto no lo anotes; no lo
        apuntes; no apuntes esto; esto no lo apuntes; no lo guardes; no guardes esto; esto no lo guardes;
        no lo escribas; no lo registres; no registres esto; no recuerdes esto; que no quede registro; que
        no quede registro de esto; que no quede anotado; sin que lo anotes; sin que lo guardes
    """,
    "previous": """
        olvida lo que acabo de decir; olvida lo que te acabo de decir; olvida lo que te acabo de contar;
        olvidate de lo que te acabo de decir; olvidate de lo que acabo de decir; olvida lo que dije
        recien; olvida mi ultimo mensaje; olvida lo ultimo que dije; olvida lo ultimo que te dije; borra
        lo que acabo de decir; borra lo que te acabo de decir; borra mi ultimo mensaje; borra lo ultimo
        que dije; borra lo ultimo que te dije; no guardes lo que acabo de decir; no anotes lo que acabo de
        decir
    """,
    "tell": """
        decime que; decime cuando; decime donde; decime quien; decime como; decime cual; decime mi; dime
        que; dime cuando; dime donde; dime quien; dime como; dime cual; dime mi; dime todo; decime todo;
        contame que; cuentame que; recordame que dia; recordame cuando; recordame donde; recordame quien;
        recordame como; recordame cual; recuerdame que dia; recuerdame cuando; recuerdame donde;
        recuerdame quien; recuerdame como; recuerdame cual; dime el; dime la; decime el; decime la;
        contame de mi; cuentame de mi; recordame el numero; recordame el nombre; recuerdame el numero;
        recuerdame el nombre
    """,
}
