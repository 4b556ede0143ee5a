"""Words of dosing language that may stand beside a drug's name; language only, no drug."""

from __future__ import annotations

LEAD_INS = frozenset(
    """take taking takes took use uses using used give giving given apply start started starting try trying continue
    continued hold change switch my some the a an of on is was have had been daily""".split()
)
"""May stand before the name in a line about a medicine."""

UNITS = frozenset(
    """mg mcg ug µg g gm gram grams kg ml l dl cc meq mmol unit units unt iu u % mgs milligram milligrams microgram
    micrograms milliliter milliliters actuat act hr hour hours day days ns""".split()
)

FORMS = frozenset(
    """tablet tablets tab tabs capsule capsules cap caps caplet caplets gelcap gelcaps softgel softgels liquigel liquigels
    pill pills chewable disintegrating orally odt effervescent lozenge lozenges troche film strip gum powder granules
    packet packets sachet solution suspension syrup elixir liquid drops drop concentrate injection injectable vial
    syringe pen autoinjector auto injector prefilled cartridge kit pack infusion cream ointment gel lotion foam paste
    shampoo spray inhaler puffer aerosol metered dose dry inhalation inhalant nebulizer nebuliser nebulized nebule
    patch patches system ring implant insert device suppository suppositories enema douche pad swab extended release
    delayed sustained controlled immediate modified enteric coated er xr xl sr cr la dr ec ir cd odt abuse deterrent
    biphasic hfa diskus respimat flexpen kwikpen solostar strength extra regular maximum max low high double children
    childrens adult junior infant infants generic brand otc prescription rx mixed""".split()
)

ROUTES = frozenset(
    """oral orally mouth po by per via iv im sc sq subq subcut subcutaneous subcutaneously intravenous intravenously
    intramuscular intramuscularly topical topically transdermal ophthalmic eye eyes otic ear ears nasal nasally nostril
    nose inhaled rectal rectally vaginal vaginally sublingual sublingually sl buccal intrathecal intradermal skin
    parenteral implant intrauterine dental mucosal under tongue into to""".split()
)

SIG = frozenset(
    """take one two three four five six seven eight nine ten half once twice thrice daily day days week weeks weekly
    month months monthly every each other time times hour hours hourly minutes q qd qod bid tid qid qhs qam qpm hs ac pc
    prn needed as need at in on for with without before after food meal meals breakfast lunch dinner supper bedtime
    night nightly morning mornings evening evenings afternoon noon midnight and or then up than more not exceed maximum
    max mdd until while directed prescribed if the a an of total x doses puff puffs spray sprays application chronic
    start starting started stop stopped since ago last only continuous continuously q4h q6h q8h q12h q24h h hrs min
    am pm monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun loading bolus drip
    dose doses dosing low baby sliding scale titrate taper tapering about approximately least first second third
    """.split()
)

JOINERS = frozenset({"/", "+", "&", "and", "with", "plus"})
NEGATIONS = frozenset({"avoid", "not", "no", "without", "instead", "than", "if", "stop", "stopped", "unless", "never", "like"})
KNOWN = UNITS | FORMS | ROUTES | SIG
