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
        (i'd|i would|it'd|it would) (love|like|appreciate|be (great|good|nice|lovely|best
            helpful))( it)?( if| that) you( could| would| can)?|do me a (favou?r|solid) and( please)?
        feel free to|it's (ok|best|time) to
        (you|u) (can|may|should|could|must|have to|need to)( now| just| also| please| safely)*
        make sure( you| to)|please|let's( just)?|go ahead and|try to|be sure to|is it possible to""",
    "articles": "the a an my our your his her their this that",
    "saying": """(said|says|told(?! you)|tells|wrote|writes|asked|asks|replied|shouted|texted|reads|sang
            screamed|whispered|explained|advised|warned|answered|insisted)
        (am|is|are|was|were) (like|saying|telling)|used to (say|tell _)
        the (song|sign|lyrics|line|motto|slogan|quote|card|email)""",
    "chat": """you u; your ur; that taht tht thta; that's thats; the teh; about abt; message msg; thanks thx
        thnx; please plis; don't dont; didn't didnt; doesn't doesnt; can't cant; won't wont; isn't isnt;
        wasn't wasnt; shouldn't shouldnt; wouldn't wouldnt; couldn't couldnt; haven't havent; mustn't mustnt;
        i'd id; i've ive; i'll ill; it's its; what's whats; let's lets; want_to wanna; going_to gonna; let_me
        lemme; because cuz bc; remember rember remembr remembre rmbr; forget forgt 4get; before b4; between
        btwn; what_i'm what_im; i'm_about im_about; i'm_not im_not; i'm_telling im_telling; remember
        rmember""",
    "slips": """remember remembering forget forgetting please delete remove memory between everything anything
        confidence message somewhere because""",
    "remember_signs": """rememb forget in_mind note jot memor write_down into_account so_you_know
        add_ keep_this keep_that save_ put_ store_ hang_on hold_on future next_time later: file_ log_
        make_sure your_m your_h your_r keep_track noted for_you_to should_know know_about lose_ hold_onto""",
    "remember": """(do |always )?remember|(do not|don'?t|never)( you)?( ever)? forget
        (do not|don'?t) let me forget( this)?
        (keep|bear|bare|have)( this)? in mind
        (make|take)( a)?( mental| quick)? note( of this)?
        note( this)?( down)?|jot( this)? down|write( this)? down|memori[sz]e|take into account
        (put|get) (it |this )?(down|on record)(?=,? that[ ])
        (keep|save|add|put|commit|store) this (in|to) (your )?(memory|notes)
        (just )?so you know|(save|commit|add|put)( it)? (to|in|into|on) (your )?(memory|notes|list)
        (log|record)(?= that (i|i'm|my|we|our|the)[ ])|keep track of the fact(?= that)|let it be noted
        from now on,? you should know(?=,? that i)
        make sure (you |to )?(remember|do not forget|don't forget)""",
    "remembering": """{remember}|not forget|remembered|making a note
        {heading}""",
    "aside": """for me|somewhere( safe)?|this time( around)?|for (the )?(next time|later|future( reference)?
            good)|from now on|going forward|(in|to|for|on) your (notes|memory|head|list)|down|well|always|too
            once and for all|ok(ay)?|will you|at all times""",
    "filler": """(a|an|one|another|some|quick|small|little|important|new|more|things?|something|fact|detail
            note|reminder|info|here's|here|is|this|just|add|it|you|should|always|i'd|like|want|me|for|to|keep
            hold|on|which|that|please|can|could|and|save|put|store)""",
    "headed": """({filler} ){0,8}?((for|in|into|to) your (memory|notes|head|records)|(to|worth|should
            should always|must) remember(ing)?|for you to (keep|remember)
            what you know about (me|us)|(hold|hang) ?on ?to (this|it)|to keep in mind|remember this)( _)?""",
    "heading": """(note|one thing|a note|something)? ?(just )?for (the future|future reference|next time|later
            your (notes|memory|records))
        (put|get) (it|this) (down|on record)|put (it |this )?(in|into|on) (your )?(memory|notes|list)
        (remember|note|keep|save|store|add|put|commit|log|file|hang on to|hold on to) (it|this|that|these
            the following)( down| away)?( (in|to|into|on) (your )?(memory|notes|list|records))?
        (note|memo) to self|mental note""",
    "remember_rows": """…[,;–—-]+ *(and |so )?(please )?(do not|don'?t)( ever)? forget( it| that| this)?
        …[,;–—-]+ *(and |so )?(please )?((remember|note|hang on to|hold on to|make a note of
            take note of|don't lose) (that|this|it)( well)?|(keep|bear|write|jot|save|store|put|note
            remember) (that|this|it) (in mind|down|in your (notes|memory|head)|for (later|next time|me)))
        …[,;–—-]+ *(and |so )?(please )?(make|take) (a )?note
        (?=(i|i'm|i've|im|my|our|we|the) _).{0,0}… (please|and|so|pls|plz) (please )?don't( ever)? forget (it
            this|that)""",
    # Memories of a time or a thing are told with "that" too: "remember that time we got lost".
    "that": """that(?! (time|times|day|night|morning|evening|week|weekend|summer|winter|year|trip|one|guy
            man|woman|girl|boy|movie|film|song|book|place|party|feeling|thing|story|joke|restaurant
            teacher|scene|episode)( |$))
        the fact that|this,? that""",
    # Without "that", an order is known by who it is about; "remember my birthday" is none.
    "led": """(?!the (time|day|night|way|one|first|last|moment)[ ])(?<!,[ ])the (_ ){1,3}?(is|are|has|lives
            starts|closes) _
        (i|we|i'm|i've|i'll|i'd|we're|we've|we'll|im) _|(?<!note[ ])(my|our) _ _""",
    "this": "this|that|it|the following|this one|something|one thing|these( things)?",
    "forget_signs": """forg eras delet remov wip scrub never_mind nevermind let_go unlearn purg discard
        remember to_know need_to_k clear drop clean disregard ignor throw strike expunge get_rid
        keeping_track any_more anymore any_longer no_longer your_m your_n gone_ gone. gone, gone! out_of
        go_away disappear vanish bother no_point your_list bin_ trash ditch scrap_ toss_ lose_ cut_ cross_""",
    "forget": """forget|let go of|unlearn|unremember|(stop|quit) (remembering|keeping track of)(?= (the|my|our
            that|i|_'s)(?![a-z]))
        never ?mind(?= about| what (i|we)| (that|the _) thing)
        (disregard|drop|ignore)(?= (what|everything|all) (i|we|that))""",
    "forgetting": "{forget}|forgetting|forgot",
    "erase": """delete|erase|remove|wipe( out)?|scrub|purge|discard|clear|drop|get( rid of)?
        throw (away|out)|take( out)?|strike|destroy|clean( out)?|expunge|bin|trash|ditch|scrap|nuke|dump
        toss( out)?|lose|cut|cross (off|out)|pull|blot out|clear out""",
    "erasing": "{erase}|deleting|erasing|removing|wiping|clearing|deleted|erased|removed|wiped",
    # What was told, or is known, about a thing.
    "own": """(my|our|(my )?_'s)( (?!and|or|in|on|from|to|of|with|is|for)_)? (number|address|birthday|salary
            weight|age|password|email|income|surname|name|nickname|height|job|diet|allergy|religion|ex|phone
            diagnosis|illness|debts?)
        the (phone number|address|birthday)""",
    "told": """(everything|all|anything|whatever|what|(the|that|this) (things?|stuff|bits?|story
            secret))( that)? (i|we|you|i've|you've|we've)( _){1,5}? (about|regarding|concerning|on|of|with)
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
        (from|of|out of) (what|everything|all) you (know|remember|have|keep)( (about|on) me)?
        (from|off|out of) your lists?|off your (notes?|records?|memory|mind)""",
    "about": """(the|that|this) (bit|part|thing|line|note) where (it|you) says?( that)?
        (anything |everything )?about|that(?!( whole)? (things?|stuff|bit|part|business|matter|story|idea)[ ])
        the fact that
        (the|that|this|all (that|the|this))( whole)? (thing|things|stuff|bit|part|business|matter|story
            idea) (about|of|with)
        of|regarding|concerning""",
    "nothing": """(it|this|that|them|those|these|him|her|me|us|you|everything|all|anything|about|what|whatever
            things?|something|not|the rest|rest)
        (it|all of|about|that) (it|all|that|this|them|him|her|me|us)
        to .*|it[ ,].*|(how|why|who|where|when|which|if) .*
        (what(ever)?|everything|anything|all|the (last )?things?)( that)? (i|you|we|i've|i'm|he|she|they|it
            happened).*
        (your |all |the |any )*(previous |prior |above |earlier |system )*(instructions|prompts?
            rules)( .*)?""",
    "because": """because|in mind|before (i|he|she|they|it|we|you|my)|now that|in case|since (i|we|it|he|she
            they)|as (i|we|it)|so (that )?(i|we|you)
        and (let's|tell|help|give)""",
    "forget_rows": """(you|u) (do not|don'?t|no longer|needn'?t)( need| have)?( to)? {hold} … (any ?more
            any longer)
        you no longer (need|have) to {hold} …
        (there's )?no (longer any )?(need|reason)( for you)? to {hold} …
        no longer {hold} …
        (do not|don'?t) {hold} … (any ?more|any longer)
        i (do not|don'?t|no longer) (want|need) you to {hold} …
        (i('d like| would like| want| need| wish)( to have| to see)? )?{told} …([,;:–—-]+ *{drop_it}
            [ ]+({may}( all| just| now| please)* ({goes}|be {gone_out})|(to be )?{gone_out})( {memory})?)
        (?=(the|my|our|that|this|those|all|any|every|_'s) )… {may}( all| just| now| please)* ({goes}
            be {gone_out}) {memory}
        (make|let) … ({goes}) {memory}
        (keep|leave|get|take|pull|cut|cross|strike|scratch) … (out of|off) your (memory|mind|notes?|records?
            head|files?|lists?|logs?|history|profile)
        (do not|don'?t) bother (remembering|to remember|keeping track of) {the}…
        (there's |there is )?no (point|use|sense)( in)? (remembering|keeping track of) {the}…
        i'd( much)? (rather|prefer)( it if)? you (forgot|didn't remember|no longer (knew|remembered)) …
        no more …[,;:–—-]+ *(so |and )?you can (now )?(forget|delete|erase|drop) (about )?(it|that|them
            those)([, ].*)?
        (?=(the|my|our) )…[,;:–—-]+ *(so )?you can (now )?(forget|delete|erase|drop) (about )?(it|that|them
            him|her)([, ].*)?
        about …[,;:–—-]+ *{drop_it}
        (as for )?…[,;:–—-]+ *(please |just |you can )*(forget about (it|that)|(delete|erase|remove) (it
            that) {memory})
        (clear|wipe|clean) your (memory|memories|notes|mind|records) (of|about) …
        i('d like| would like| want| need) …( to be)? (forgotten|{gone_out} {memory})""",
    "the": "(?=(the|my|our|that|i|his|her|about|_'s) )",
    "may": "(can|could|should|must|may|has to|have to|needs? to|is to|are to|had better|ought to)",
    "goes": "go( away)?|disappear|vanish|get lost|come out|leave",
    "gone_out": "(gone|out|deleted|erased|removed|wiped|scrubbed|purged|dropped|cleared|forgotten)",
    "drop_it": """(please |just |you can |now |kindly |so |go ahead and |all of )*(forget|delete|erase|drop
            remove|wipe|scrub|bin|trash|lose|ditch|get rid of|throw|purge|clear|discard)( all of| about)? (it
            that|them|those|everything)( all| out| away)?( {memory})?([, ].*)?""",
    "hold": "(remember|keep( track of)?|know|store|hold on to|have)",
    "off_signs": """between record writ note noti jot sav keep stor _log memor rememb confiden forg
        hear pretend act_like act_as imagin happened never_told never_said eras delet kept trace scratch
        strik ears secret yourself retain archiv document hold_on file_ your_file wip remov drop ignor clear
        purg discard undo disregard take_ commit word_ mode leave_ your_notes put_ hang_on entre_nous
        your_memory""",
    "off": """((i )?{unsay}( {store})?|(leave|keep|take|cut|pull|get|put)(?=.{1,60}? (out of|off
            from) {store})) {gone}
        (can |could |should |may |let )?{gone}( _){0,6}?[,:;–—. -]+(_ ){0,5}?({unsay}|{private}
            {neg}( _){0,3}? ({keep}|{kept}|{store})|left out of)
        (?!{others})(_ ){0,6}?{neg}( (?!forget|fail)_){0,4}? ({keep}s?( down)? ({gone}
            (?P<gone>what i (said|told you))|{it}( down)?{stop})|(want|need|leave|keep|make|take
            taking) (a |any )?{noting}( (of|on|about|for) {it})?{stop}
            (want|need|like) ({it}|{gone})( to)?( be| get| being)? {kept})
        (do not|don'?t) (save|record|store|log|note|jot|memori[sz]e)(?= *($|[,;:.!–—]))
        (no|skip|pause|stop|turn off|switch off|mute
            (leave|make|keep|take) no)( the| your| any)? {noting}( (of|on|about|for) {it}| here)?{stop}
        (write|note|save|record|keep|store|put) (nothing|none)( down| of {it})*{pause}
        ({this_is}( _){0,6}? {neg}|none of (this|it|that|what( _){1,5}?)|nothing( of this| i say)?
            not (a|one)( single)? word( of (this|it|that))?)( (?!off[ ])_){0,6}? ({kept}|{store}){stop}
        (incognito|private|no[ -]log|confidential|whisper|secret|off[ -]the[ -]record) mode{pause}
        (not|nothing) (to|for|meant|something|worth)( (to|be|for))* ({kept}|{keep}|{store})
        (?!{others}|(_ ){0,3}?{neg} (leave|keep|take|make|say
            think)[ ])(_ ){0,5}?{this_is}( (?!{neg} )_){0,5}? ({private}{pause}|unrecorded|unsaved)
        (strictly |just |only |completely |speaking |a (quick )?_ |something |one |all )*{private}{pause}
        just {private} (the|i|my|he|she|they|it)
        (can|could|may|let|i'll|i'm|i|i've|i'd)( _){0,3}? (tell|telling|say|saying|ask|share|confess|vent|talk
            speak) (_ ){0,8}?({private}({pause}|(?= that ))|without (you |it |this )?(sav|keep|writ|record
            not|remember
            be)ing)
        (can|could|may|let's|shall)( we| i)?( please| just)* (go|speak|talk|chat) {private}
        i('d| would)( much)? (rather|prefer|like)( it)?( if| that)? {this_is} {neg}( _){0,4}? ({kept}|{store}
            {keep}){stop}
        {unsay} (what|everything|whatever) (i'm|i am|i'll|i will)( about| going)?( to)? (tell|say)
        {unsay} (this|it)( conversation| chat| message)? (right )?(after|afterwards|once|as soon as|when)
        (i never told you|you (didn'?t|never) hear(d)?) (this|it)( from me)?{pause}""",
    "ahead": """(something|a secret|a confession|vent|confess|what (i'm|i am|i'll|i will|follows|comes)
            what i( _){1,4}? (now|next)|the (next|following)|from (now|here) on)""",
    "keep": """(write|writing|not(e|ing)|jot|take|put(ting)?{in_store}|sav(e|ing|ed)|keep(ing)?
            record(ing|ed)?|stor(e|ing|ed)|log(ging|ged)?|rememb(er|ering|ered)|memori[sz]e|add|file|retain
            commit|archive|document|learn|h[oa](ld|ng) on to|(make|take) (a )?note of
            keep (a |any )?(record|track|trace|notes?) of|not(e|ing) down|written)""",
    "in_store": """(?= (this|that|it|any of (this|it))( down| anywhere| (in|into|on|to) (your|the record|any
            writing)))""",
    "store": """(in |into |to |on |for |out of |from )?(your|the|any|today's) (own )?(notes?|memory|memories
            records?|files?|logs?|diary|journal)""",
    "kept": """(written|noted|recorded|saved|kept|stored|remembered|logged|repeated|(in|into) your (notes
            memory|records)|on (the )?record|go on (the )?record|leaves? this (room|chat))""",
    "it": """((this|that)( next| whole| entire)? (one|part|bit|message|conversation|chat|thing|info
            information|detail|stuff|exchange|topic|session)|(any of |a word of )?(this|that|it)
            anything( (i|about|of|from|here)( _){0,3}?)?|what (i'm|i am|i'll|i will|follows|comes next
            i say|i tell you)( _){0,5}?|the following|(the|my) next (thing|part|bit|message|one)( i say)?)""",
    "neg": "(_n't|not|never|no one|nobody|nothing|none|without|avoid|refrain from|no need to)",
    "noting": """(notes?|records?|recording|logging|saving|storing|memory|logs?|traces?|(taking
            making) notes|note[ -]taking|mention|writing (it|this|that) down)""",
    "others": """(he|she|they|the|his|her|their|an?|some|people|why|how|who|when|where|is|are|was|were|did
            does|do you|has|have|should|my|we|our|if|once|last|remember|never)[ ']
        i(?![a-z])(?!('m| am)? (trust|ask|beg|hop|count)|('d| would)?( only| just)? (want|like|need|prefer
            rather|trust
            hope|expect|appreciate|feel|be|tell)|( do not| don'?t| would not| wouldn't) (want|like|need))
        you (never|(don'?t|do not)(?! (have|need) to)|didn'?t|haven'?t|can'?t|still)
        (_ ){0,4}?(told(?! you)|asked(?! you)|says)""",
    "this_is": """((this|that|it|all this|all of this|what i'm (saying|telling you|about to (say|tell you))
            what follows|the (following|next _)|everything i (say|tell you)|what i( _){1,4}?)('s|'ll)?)""",
    "private": """(off[ -](the[ -])?record|between {us}|in( strict| the strictest| total)? confidence
            confidentially|not for the record|to yourself|out of memory|entre nous|for your ears( only)?
            out of (your|the|my) (memory|notes?|records?|files?|logs?|diary|journal)|off the books)""",
    "us": """(you,? me and the _|us( two| girls| guys| friends)?|you and (me|i)|me and you|ourselves
            the two of us)( and the _post| only| please| alone)?(?!,? we[ '])""",
    "stop": """(?= *($|[,;:.!?…)–—-])| (please|pls|plz|ok(ay)?|anywhere|at all|though|either|ever
            for (me|now|once|a|this)|because|but|and|cause|since|until|if|so|or|(to|in|into|on|from) (your|my
            the|any|memory|file|record)|i|i'm|it'?s|he|she|we|they|my|thanks|will you|can you|about|as|away
            down|now|yet|when|where|between|just|please|this is|with)(?![a-z]))""",
    "pause": """(?= *($|[,;:.!?…)–—-])| (please|pls|plz|ok(ay)?|though|but|because|if you|so|i|i'm|and (nobody
            no one|not|out|don'?t))(?![a-z]))""",
    "gone": """(about |all |everything |whatever |of |any of )*((what|that|everything|the|which
            those)?( last| very last)? ?(thing|bit|part|message|secret
            stuff)?s?( about( _){1,3}?)?( that)? ?(i|i've|i'd|we|we've)( have| had)? (just|literally just
            only just|accidentally)( now)? (said|told|discussed|talked|mentioned|wrote|shared|typed|sent
            confessed|revealed|admitted|asked|been|let)|(everything|all|what)( that)? (i|we)('ve| have)? (said
            told you|written|talked about)( _)? (in|during|over) the (last|past) _( _)?
            (what(ever)?|the (thing|stuff|bit|part)s?( that)?) (i|we) (said|told you|mentioned|wrote
            shared)( about( _){1,4}?)? {before}|(my|the|that|this|those|our|your|these)( very)? (last|previous
            prior|latest|preceding)( two| three| few| couple of)? (thing|message|bit|part|remark|comment
            statement|text|one|confession|detail|info|exchange|point|conversation|chat|talk|rant|sentence|line
            reply|word)s?|(everything|all( of (this|that))?|our (chat|talk|conversation)
            the (chat|conversation)|what (i|we)('ve| have)? (said|discussed|told you))( (i
            we)('ve| have)? (said|told you|discussed))? (up to (here|now|this point)|so far|until now
            till now))""",
    "before": """(just now|(a|two|a few|a couple of) (moment|minute|second|sec|while|message)s? ago
            moments ago|right before|above|in my (last|previous) (message|text)|earlier|before)""",
    "unsay": """(forget(ting)?|un-?remember|eras(e|ing)|delet(e|ing)|disregard|wipe|scrub|un-?(hear|see
            read)|scratch|strike|remove|drop|discard|purge|ignore|undo|take back|get rid of|clear|unlearn
            throw (away|out))""",
    "tell_signs": "tell_me tell_us remind refresh",
    "tell": """(({polite}) )?(tell|remind) (me|us)( please| again| once more)?,? ({asked}|(about |of )?(my
            our)|(about|of) what|everything|all you know|anything you|the {datum})
        refresh my memory""",
    "asked": "(what|when|where|who|whose|which|why|how)('s|s)?|if|whether",
    "datum": "(name|date|day|address|number|phone|code|price|title|size|details)s?",
    "behave": "stop|do not|don'?t|never|always|be|speak|talk|write|answer|reply|use|call me",
}
