"""Orders in English."""

ORDERS = {
    "short": "mr mrs ms st ave dr prof etc vs no inc jr sr approx",
    "joins": "and|but|so",
    "lead": """please|pls|plz|kindly|just|hey|hi|hello|oh|ah|well|actually|and|also|but|so|then|now|btw
        first|right|by the way|all ?right|listen|look|sorry|no(?=[,.!])|yes|yeah|yep|nah|nope|hm+|um+|uh
        wait|anyway|great|good|thanks|thank you|on second thoughts?|you know what|i guess|seriously
        honestly|fyi|ps|again|one more thing|do|i('ve)? changed my mind|always|maybe|cool|fine|from now on
        for now|important|i mean|as i said|never ?mind""",
    "thanks": "please|pls|plz|thanks|thank you|thanks a lot",
    "tail": """ok(ay)?|will you|would you|could you|can you|right|all ?right|for now|from now on|now|too
        entirely|completely|altogether|any ?more|any longer|for good|forever
        if you (can|could|would|don'?t mind)|if possible|right away|at once|for me|asap""",
    "polite": """(can|could|would|will) (you|u)( please| just| kindly| maybe| also| now)*
        (would|do) you mind|i (want|need|beg|ask)( for)? you to( just)?
        i('d| would) (really )?(like|love|prefer)( for)? you to( just)?
        i('d| would) (rather|prefer|appreciate it)( that| if)* you( could| would)?
        feel free to|it's (ok|best|time) to
        (you|u) (can|may|should|could|must|have to|need to)( now| just| also| please| safely)*
        make sure( you| to)|please|let's( just)?|go ahead and|try to|be sure to|is it possible to""",
    "saying": """(said|says|told(?! you)|tells|wrote|writes|asked|asks|replied|shouted|texted|reads|sang
            screamed|whispered|explained|advised|warned|answered|insisted)
        (am|is|are|was|were) (like|saying|telling)
        the (song|sign|lyrics|line|motto|slogan|quote|card|email)""",
    "remember_signs": """rememb forget in_mind note jot memor write_down into_account so_you_know
        add_to keep_this save_""",
    "remember": """(do |always )?remember|(do not|don'?t|never)( you)?( ever)? forget
        (keep|bear|have)( this)? in mind
        (make|take)( a)?( mental| quick)? note( of this)?
        note( this)?( down)?|jot( this)? down|write( this)? down|memori[sz]e|take into account
        (keep|save|add|put|commit|store) this( (in|to) (your )?(memory|notes))?
        (just )?so you know|save to (your )?memory|add to (your )?(memory|notes)""",
    "remembering": "{remember}|not forget|remembered|making a note",
    "remember_rows": """…[,;–—-]+ *(and |so )?(please )?(do not|don'?t)( ever)? forget( it| that| this)?
        …[,;–—-]+ *(and |so )?(please )?(remember|note|keep|bear|write) (that|this
            it)( in mind| down| well)?""",
    # Memories of a time or a thing are told with "that" too: "remember that time we got lost".
    "that": """that(?! (time|times|day|night|morning|evening|week|weekend|summer|winter|year|trip|one|guy
            man|woman|girl|boy|movie|film|song|book|place|party|feeling|thing|story|joke|restaurant
            teacher|scene|episode)( |$))
        the fact that|this,? that""",
    # Without "that", an order is known by who it is about; "remember my birthday" is none.
    "led": "(i|we|i'm|i've|i'll|i'd|we're|we've|we'll|im|ive) _|(?<!note[ ])(my|our) _ _",
    "this": "this|that|the following|this one|something|one thing|these( things)?",
    "forget_signs": """forg eras delet remov wip scrub never_mind nevermind let_go unlearn purg
        discard remember to_know need_to_k clear drop clean disregard ignor throw strike expunge get_rid
        any_more anymore any_longer no_longer your_m your_n""",
    "forget": """forget|let go of|unlearn|unremember|stop remembering
        never ?mind(?= about| what (i|we)| (that|the _) thing)
        (disregard|drop|ignore)(?= (what|everything|all) (i|we|that))""",
    "forgetting": "{forget}|forgetting|forgot",
    "erase": """delete|erase|remove|wipe( out)?|scrub|purge|discard|clear|drop|get( rid of)?
        throw (away|out)|take|strike|destroy|clean( out)?|expunge""",
    "erasing": "{erase}|deleting|erasing|removing|wiping|clearing|deleted|erased|removed|wiped",
    # What was told, or is known, about a thing.
    "own": """(my|our|_'s) (phone |home |old |work )?(number|address|birthday|salary|weight|age|password
            email|income|surname|name|nickname|height|job|diet|allergy|religion|ex|phone)
        the (phone number|address|birthday)""",
    "told": """(everything|all|anything|whatever|what|(the|that|this) (things?|stuff|bits?|story
            secret))( that)? (i|we|you|i've|you've|we've)( _){1,5}? (about|regarding|concerning|on|of
            with)
        (the|that|those|these|any|all|every|your|my)( _)? (memor(y|ies)|mentions?|facts?|notes?|records?
            traces?) ((that )?(you|i) (_ ){1,4}?)?(about|on|of|regarding|concerning|that)
        (everything|anything|all)( there is)? (about|on|regarding)(?= (me|my|our|us|him|her|them|_'s) )
        (that |the fact that )?i( ever| even| once)? (told you|mentioned|said|brought up
            talked about)( that| about)?""",
    "told_after": """(that |which )?(i|we|you)('ve| have)? (told you|mentioned|said|shared|gave you|saved
            stored|know|remember|noted|wrote down|have saved|have stored|have on file)( _){0,3}""",
    "memory": """(from|in|out of|of) memory
        (from|in|out of|of) (your|the|all your|my)( own| long-term| entire)? (memory|memories|mind|notes?
            records?|head|database|brain|knowledge|files?|storage|data|history|logs?
            profile)( about me| on me)?
        (from|of|out of) (what|everything|all) you (know|remember|have|keep)( (about|on) me)?""",
    "about": """(anything |everything )?about|that|the fact that
        (the|that|this|all (that|the|this))( whole)? (thing|things|stuff|bit|part|business|matter|story
            idea) (about|of|with)
        of|regarding|concerning""",
    "nothing": """(it|this|that|them|him|her|me|us|you|everything|all|anything|about|what|whatever|things?
            something|not|the rest|rest)
        (it|all of|about|that) (it|all|that|this|them|him|her|me|us)
        to .*|it[ ,].*|(how|why|who|where|when|which|if) .*
        (what(ever)?|everything|anything|all|the (last )?things?)( that)? (i|you|we|i've|i'm|he|she|they
            it|happened).*
        (your |all |the |any )*(previous |prior |above |earlier |system )*(instructions|prompts?
            rules)( .*)?""",
    "because": """because|in mind|since (i|we|it|he|she|they)|as (i|we|it)|so (that )?(i|we|you)
        and (let's|tell|help|give)""",
    "forget_rows": """(you|u) (do not|don'?t|no longer|needn'?t)( need| have)?( to)? {hold} … (any ?more
            any longer)
        you no longer (need|have) to {hold} …
        (there's )?no (longer any )?need( for you)? to {hold} …
        no longer {hold} …
        (do not|don'?t) {hold} … (any ?more|any longer)
        i (do not|don'?t|no longer) (want|need) you to {hold} …
        {told} …[,;:–—-]+ *(please |just |you can )*(forget|delete|erase|drop|remove) (about )?(it|that
            them)
        (?=(the|my|our) )…[,;:–—-]+ *(so )?you can (now )?(forget|delete|erase|drop) (about )?(it|that
            them|him|her)([, ].*)?
        about …[,;:–—-]+ *(please |just |you can )*(forget|delete|erase|drop|remove) (it|that)([, ].*)?
        (as for )?…[,;:–—-]+ *(please |just |you can )*(forget about (it|that)|(delete|erase|remove) (it
            that) {memory})
        (clear|wipe|clean) your (memory|memories|notes|mind|records) (of|about) …
        i('d like| would like| want| need) …( to be)? (deleted|erased|removed|wiped|forgotten)( {memory})?""",
    "hold": "(remember|keep( track of)?|know|store|hold on to|have)",
    "off_signs": """between record writ note noti jot sav keep stor _log memor rememb confiden forg
        hear pretend act_like act_as imagin happened never_told never_said eras delet kept trace scratch
        strik ears secret yourself retain archiv document hold_on file_ your_file wip remov drop ignor clear
        purg discard undo disregard take_ commit""",
    "off": """(i )?({unsay}|take)( {store})? {gone}
        (can |could |should |may |let )?{gone}( _){0,6}?[,:;–—. -]+(_ ){0,5}?({unsay}|{private}
            {neg}( _){0,3}? ({keep}|{kept}|{store})|left out of)
        (?P<gone>{unsaid})
        ({unsay}|take) (?P<gone>that|it|all that) (from|off|out of) (the|your|my) (records?|memory|notes?
            logs?|minutes|mind|files?|history)
        (?P<gone>(that|all that)( _)? was|what i said( _)? (was|is|stays))( _){0,3}? {private}{pause}
        (?!{others})(_ ){0,6}?{neg}( (?!forget|fail)_){0,4}? ({keep}s?( down)? ({gone}
            (?P<gone>what i (said|told you))|{it}( down)?{stop})|(want|need|leave|keep|make|take
            taking) (a |any )?{noting}( (of|on|about|for) {it})?{stop}|(want|need
            like) {it}( to)?( be| get)? {kept})
        (do not|don'?t) (save|record|store|log|note|jot|memori[sz]e)(?= *($|[,;:.!–—]))
        (no|skip|pause|stop|turn off|switch off|mute|(leave|make|keep
            take) no)( the| your| any)? {noting}( (of|on|about|for) {it}| here)?{stop}
        (write|note|save|record|keep|store|put) (nothing|none)( down| of {it})*{pause}
        ({this_is}( _){0,6}? {neg}|none of this|nothing( of this| i say)?)( _){0,4}? ({kept}
            {store}){stop}
        (not|nothing) (to|for|meant|something|worth)( (to|be|for))* ({kept}|{keep}|{store})
        (?!{others})(_ ){0,5}?{this_is}( _){0,5}? ({private}{pause}|unrecorded|unsaved)
        (strictly |just |only |completely |speaking |a (quick )?_ |something |one |all )*{private}{pause}
        just {private} (the|i|my|he|she|they|it)
        (this is |it's )?(our|a) secret{pause}
        (can|could|may|let|i'll|i'm|i|i've|i'd)( _){0,3}? (tell|telling|say|saying|ask|share|confess|vent
            talk|speak) (_ ){0,8}?({private}{pause}|without (you |it |this )?(sav|keep|writ|record|not
            remember|be)ing)
        {unsay} (what|everything|whatever) (i'm|i am|i'll|i will)( about| going)?( to)? (tell|say)
        {unsay} (this|it)( conversation| chat| message)? (right )?(after|afterwards|once|as soon as|when)
        (i never told you|you (didn'?t|never) hear(d)?) (this|it)( from me)?{pause}""",
    "keep": """(write|writing|not(e|ing)|jot|take|put(ting)?|sav(e|ing|ed)|keep(ing)?|record(ing|ed)?
            stor(e|ing|ed)|log(ging|ged)?|rememb(er|ering|ered)|memori[sz]e|add|file|retain|commit|archive
            document|learn|hold on to|(make|take) (a )?note of|keep (a |any )?(record|track|trace
            notes?) of|not(e|ing) down|written)""",
    "store": """(in |into |to |on |for |out of |from )?(your|the|any) (own )?(notes?|memory|memories
            records?|files?|logs?|diary|journal)""",
    "kept": """(written|noted|recorded|saved|kept|stored|remembered|logged|repeated|(in|into) your (notes
            memory|records)|on (the )?record|go on (the )?record|leaves? this (room|chat))""",
    "it": """((this|that)( next| whole| entire)? (one|part|bit|message|conversation|chat|thing|info
            information|detail|secret|stuff|exchange|topic|session)|(any of |a word of )?(this|that|it)
            anything( (i|about|of|from|here)( _){0,3}?)?|what (i'm|i am|i'll|i will|follows|comes next
            i say|i tell you)( _){0,5}?|the following|the next (thing|part|bit|message|one)( i say)?)""",
    "neg": "(_n't|dont|not|never|no one|nobody|nothing|none|without|avoid|refrain from|stop|no need to)",
    "noting": """(notes?|records?|recording|logging|saving|storing|memory|logs?|traces?|(taking
            making) notes|note[ -]taking|mention|writing (it|this|that) down)""",
    "others": """(he|she|they|the|his|her|their|an?|some|people|why|how|who|when|where|is|are|was|were|did
            does|do you|has|have|should|my|we|our|if|once|last|remember|never)[ ']
        i(?!('m| am)? (trust|ask|beg|hop|count)|('d| would)?( only| just)? (want|like|need|prefer|rather
            trust|hope|expect|appreciate|feel|be|tell)|( do not| don'?t| would not| wouldn't) (want|like
            need))
        you (never|(don'?t|do not)(?! (have|need) to)|didn'?t|haven'?t|can'?t|still)
        (_ ){0,4}?(told(?! you)|asked(?! you)|says)""",
    "this_is": """((this|that|it|all this|all of this|what i'm (saying|telling you|about to (say
            tell you))|what follows|the (following|next _)|everything i (say|tell you)
            what i( _){1,4}?)('s|'ll)?)""",
    "private": """(off[ -](the[ -])?record|between {us}|in( strict| the strictest| total)? confidence
            confidentially|not for the record|to yourself|out of memory|for your ears( only)?|out of (your
            the|my) (memory|notes?|records?|files?|logs?|diary|journal)|off the books)""",
    "us": """(us( two| girls| guys| friends)?|you and (me|i)|me and you|ourselves
            the two of us)( and the _post| only|please| alone)?""",
    "stop": """(?= *($|[,;:.!?…)–—-])| (please|ok(ay)?|anywhere|at all|though|either|ever|for (me|now|once
            a|this)|because|but|and|cause|since|until|if|so|or|(to|in|into|on|from) (your|my|the|any
            memory|file|record)|i|i'm|it'?s|he|she|we|they|my|thanks|will you|can you|about|as|away|down
            now|yet|when|between|just|please|this is|with)(?![a-z]))""",
    "pause": """(?= *($|[,;:.!?…)–—-])| (please|ok(ay)?|though|but|because|if you|so|i|i'm|and (nobody
            no one|not|out|don'?t))(?![a-z]))""",
    "gone": """i (shouldn't|should not) have (said|told you|mentioned|written|shared) (that|this|it
            anything)
        (about |all |everything |whatever |of |any of )*((what|that|everything|the|which
            those)?( last| very last)? ?(thing|bit|part|message|secret
            stuff)?s?( about( _){1,3}?)?( that)? ?(i|i've|i'd|we|we've)( have| had)? (just|literally just
            only just|accidentally)( now)? (said|told|discussed|talked|mentioned|wrote|shared|typed|sent
            confessed|revealed|admitted|asked|been|let)|(everything|all|what)( that)? (i
            we)('ve| have)? (said|told you|written|talked about)( _)? (in|during|over) the (last
            past) _( _)?|(what(ever)?|the (thing|stuff|bit|part)s?( that)?) (i|we) (said|told you
            mentioned|wrote|shared)( about( _){1,4}?)? {before}|(my|the|that|this|those)( very)? (last
            previous|prior|latest|preceding)( two| three| few| couple of)? (thing|message|bit|part|remark
            comment|statement|text|one|msg|confession|detail|info|exchange|point)s?)""",
    "before": """(just now|(a|two|a few|a couple of) (moment|minute|second|sec|while|message)s? ago
            moments ago|right before|above|in my (last|previous) (message|text)|earlier|before)""",
    "unsay": """(forget(ting)?|un-?remember|eras(e|ing)|delet(e|ing)|disregard|wipe|scrub|un-?(hear|see
            read)|scratch|strike|remove|drop|discard|purge|ignore|undo|take back|get rid of|clear|unlearn
            throw (away|out))""",
    "unsaid": """(forget|disregard|ignore)( that)? (i|we)('ve|'d| have)?( ever| just| even)* (said
            mentioned|told you|wrote|asked|brought)( that| this| it| anything| so| something)( up)?{pause}
        forget( that)? i (ever |just |even )+(said|mentioned|told|asked)[^,]{0,12}{pause}
        (pretend|act (like|as if)|imagine)( that)? (that|this)( conversation| chat| message| talk)? (never
            didn'?t) happen(ed)?
        (pretend|act (like|as if)|imagine)( that)? (i|you|we)('d| had| have)? ?(never|didn'?t|did not
            hadn'?t) (say|said|tell|told|mention|mentioned|hear|heard|write|wrote|read|send
            sent)( _){0,2}?{pause}
        you (didn'?t|never|did not) (hear|heard|see|read) (that|any of that|anything){stop}
        i never said that{pause}""",
    "tell_signs": "tell_me tell_us remind refresh",
    "tell": """(({polite}) )?(tell|remind) (me|us)( please| again| once more)?,? ({asked}|(about |of )?(my
            our)|(about|of) what|everything|all you know|anything you|the {datum})
        refresh my memory""",
    "asked": "(what|when|where|who|whose|which|why|how)('s|s)?|if|whether",
    "datum": "(name|date|day|address|number|phone|code|price|title|size|details)s?",
    "behave": "stop|do not|don'?t|never|always|be|speak|talk|write|answer|reply|use|call me",
}
