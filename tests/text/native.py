"""A short paragraph in each supported language, with what its words must become.

`alike` are pairs of forms that are one word to an indexer, `candidates` phrases that must be found in it.
"""

from typing import NamedTuple


class Native(NamedTuple):
    """A text, pairs of forms with the same stem, and phrases that must be candidates."""

    text: str
    alike: tuple[tuple[str, str], ...]
    candidates: tuple[str, ...]


NATIVE = {
    "en": Native(
        "Wind farms in the North Sea produce electricity for many households. The turbines are built by hand.",
        (("turbine", "turbines"), ("households", "household")),
        ("Wind farms", "households"),
    ),
    "ar": Native(
        "تستخدم الدراسة الطاقة الشمسية في المدن العربية، وهذه الطاقة مهمة لأنها تقلل من تلوث الهواء في المدن.",
        (("الطاقة", "طاقة"), ("كِتَاب", "كتاب")),
        ("المدن العربية", "تلوث الهواء"),
    ),
    "cs": Native(
        "Větrné elektrárny na pobřeží vyrábějí elektřinu, která je pro domácnosti levnější. Cena elektřiny a plynu.",
        (("elektrárny", "elektrárna"), ("domácnosti", "domácnostem")),
        ("Cena elektřiny",),
    ),
    "da": Native(
        "Vindmøller i Nordsøen leverer strøm til mange husholdninger, fordi vinden er stabil og billig at udnytte.",
        (("vindmøller", "vindmøllerne"), ("husholdning", "husholdninger")),
        ("Vindmøller",),
    ),
    "de": Native(
        "Die Wärmepumpe senkt den Energieverbrauch der Altbauten. Wärmepumpen werden für große Straßen noch geprüft.",
        (("Wärmepumpe", "Wärmepumpen"), ("Straßen", "STRASSEN"), ("Häuser", "Häusern")),
        ("Wärmepumpe", "Energieverbrauch", "Altbauten"),
    ),
    "es": Native(
        "Las energías renovables reducen la contaminación del aire. Además, la energía solar es barata en las aldeas.",
        (("planta", "plantas"), ("energía", "energías")),
        ("contaminación", "aire", "energía solar"),
    ),
    "fi": Native(
        "Talojen lämmitys vie paljon energiaa, mutta lämpöpumput ovat yleistyneet. Lämpöpumppujen hinta on laskenut.",
        (("taloissa", "taloista"), ("kirjasto", "kirjastot")),
        ("energiaa",),
    ),
    "fr": Native(
        "L'analyse du système d'information montre qu'il dépend de l’État. Aujourd'hui, les systèmes évoluent.",
        (("système", "systèmes"), ("analyses", "analyse")),
        ("analyse", "système", "information"),
    ),
    "hi": Native(
        "सौर ऊर्जा से गाँवों में बिजली मिलती है और यह ऊर्जा सस्ती है। सरकार ने सौर ऊर्जा के लिए नई योजना बनाई है।",
        (("लड़का", "लड़के"),),
        ("सौर ऊर्जा",),
    ),
    "it": Native(
        "L'intelligenza artificiale nell'agricoltura: un'analisi dell'acqua e dei terreni. C'è bisogno di più dati.",
        (("terreno", "terreni"), ("macchina", "macchine")),
        ("intelligenza artificiale", "agricoltura", "acqua", "terreni"),
    ),
    "ja": Native(
        "自然言語処理の研究では、機械学習を用いた要約システムの開発が進んでいる。要約システムの精度は高い。",
        (("ＡＩ", "ａｉ"),),
        ("自然言語処理", "機械学習", "要約システム"),
    ),
    "ko": Native(
        "이 연구에서는 언어 모델을 이용한 문서 요약 시스템의 성능을 평가하였다. 언어 모델은 요약에 쓰인다.",
        (("모델", "모델"),),
        ("언어 모델", "문서 요약 시스템"),
    ),
    "nl": Native(
        "De warmtepompen in oude huizen verbruiken veel stroom, omdat de isolatie van het huis niet goed is.",
        (("warmtepomp", "warmtepompen"), ("woning", "woningen")),
        ("warmtepompen", "stroom", "isolatie"),
    ),
    "no": Native(
        "Vindkraft i Nordsjøen gir strøm til mange husholdninger, og det er fordi vinden blåser nesten hele året.",
        (("husholdning", "husholdninger"), ("turbinene", "turbiner")),
        ("Vindkraft", "strøm"),
    ),
    "pl": Native(
        "Elektrownie wiatrowe na morzu wytwarzają energię, która jest tańsza niż węgiel. Energia wiatrowa rośnie.",
        (("elektrownia", "elektrownie"), ("węgla", "węglem")),
        ("Elektrownie wiatrowe", "węgiel"),
    ),
    "pt": Native(
        "As energias renováveis reduzem a poluição do ar. Além disso, a energia solar é mais barata nas cidades.",
        (("cidade", "cidades"), ("energia", "energias")),
        ("poluição", "ar", "energia solar"),
    ),
    "ru": Native(
        "Ветровые электростанции в Северном море дают электроэнергию, которая нужна для городов. Города растут.",
        (("города", "городов"), ("электростанция", "электростанции")),
        ("Ветровые электростанции", "городов"),
    ),
    "sv": Native(
        "Vindkraften i Nordsjön ger el till många hushåll, och det beror på att vinden är stark under hela året.",
        (("turbin", "turbiner"), ("hushåll", "hushållen")),
        ("Vindkraften", "Nordsjön"),
    ),
    "tr": Native(
        "Türkiye'nin rüzgâr enerjisi için İstanbul'da yeni santraller kuruluyor. IŞIK ve ısı da bu enerjiden gelir.",
        (("Işık", "IŞIK"), ("evler", "ev"), ("İstanbul", "istanbul")),
        ("Türkiye", "rüzgâr enerjisi"),
    ),
    "zh": Native(
        "本文提出了一种基于深度学习的关键词抽取方法。深度学习模型和条件随机场在中文文本中的实验结果表明该方法有效。",
        (("学习", "学习"),),
        ("关键词抽取方法", "深度学习模型"),
    ),
}
