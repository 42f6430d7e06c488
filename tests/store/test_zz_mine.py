from tests.store.test_spark_parity import *
from tests.store.test_spark_parity import SMALL_AND_QUICK, difference
from tests.store.workloads import constructions
from tests.store.recording import Recorder, pieces
def test_mine(tmp_path):
    (tmp_path/"read").mkdir(); (tmp_path/"w").mkdir()
    r=Recorder(tmp_path/"read")
    with r.listening(): constructions(tmp_path/"w")
    texts=r.questions
    mine=["evaluate/operators.py","evaluate/locations/recall_sql.py","build/inject.py","build/mutants.py","build/derivation.py"]
    for n in mine:
        for piece in pieces(SOURCES/n):
            if not any(piece.text in t for t in texts): print("MISSED",n,piece.line,piece.text[:80])
    spark=SparkEngine("local[2]", memory_limit="1GB", settings=SMALL_AND_QUICK)
    for q in texts.values():
        d=difference(q,spark)
        if d: print("DIFF", q.text[:500], d[:500])
