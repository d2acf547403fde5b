"""Words that say little about what a text is about, in English and Spanish.

A word that carries meaning in the other language stays out of both lists
("son", "sea", "era", "sin", "van", "come"): being frequent already makes it light.
"""

_ENGLISH = """
    a about above after again all also am an and any are as at be because been before being below between
    both but by can could d did didn do does doesn doing don down during each few for from further had has
    have having he her here hers herself him himself his how i if in into is isn it its itself just ll m me
    might more most must my myself no nor not now of off on once only or other our ours ourselves out over
    own re s same shall she should so some such t than that the their theirs them themselves then there these
    they this those through to too under until up upon us ve very was wasn we were what when where whether
    which while who whom whose why will with would you your yours yourself yourselves"""
_SPANISH = """
    a al algo algun alguna algunas alguno algunos ante antes aquel aquella aquellas aquello aquellos aqui
    asi aun aunque cada como con cual cuales cualquier cuando cuanta cuantas cuanto cuantos de del desde donde
    dos e el ella ellas ello ellos en entre eran eres es esa esas ese eso esos esta estaba estaban estamos
    estan estar estas este esto estos estoy fue fueron ha habia habian han has hasta hay he la las le les lo
    los mas me mi mis mientras muy nada ni no nos nosotros nuestra nuestro nuestras nuestros o os otra otras
    otro otros para pero poco por porque pues que quien quienes se segun ser si sido siendo sobre su sus suya
    suyo tambien tampoco te tenia tiene tienen tengo ti todo todos tu tus tuya tuyo un una unas uno unos usted
    ustedes y ya yo"""
ENGLISH, SPANISH = frozenset(_ENGLISH.split()), frozenset(_SPANISH.split())
BOTH = ENGLISH | SPANISH
# Words that ask, not words asked about; left out of questions alone.
ASKING = frozenset({"kind", "kinds", "type", "types", "many", "much", "tipo", "tipos"})
