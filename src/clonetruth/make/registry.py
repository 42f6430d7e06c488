"""The stages: one file each, one line here."""

from __future__ import annotations

from clonetruth.make.stage import Stage
from clonetruth.registry import Registry

STAGES: Registry[Stage] = Registry(
    "stage",
    {
        "index": "clonetruth.make.function_index:STAGE",
        "search": "clonetruth.make.candidate_search:STAGE",
        "candidates": "clonetruth.make.candidate_benchmark:STAGE",
        "execution": "clonetruth.make.judging:EXECUTION_STAGE",
        "rules": "clonetruth.make.stated_rules:STAGE",
        "study": "clonetruth.make.judging:STUDY_STAGE",
        "llm-judge": "clonetruth.make.judging:LLM_STAGE",
        "tags": "clonetruth.make.tags:STAGE",
        "mined": "clonetruth.make.mined_benchmark:STAGE",
        "seeds": "clonetruth.make.seeds:STAGE",
        "runnable-seeds": "clonetruth.make.runnable_seeds:STAGE",
        "ask": "clonetruth.make.generation:STAGE",
        "recorded": "clonetruth.make.recorded_answers:STAGE",
        "parse": "clonetruth.make.parsed_answers:STAGE",
        "similarity": "clonetruth.make.similarity_filter:STAGE",
        "generated-pairs": "clonetruth.make.generated_pairs:STAGE",
        "prompt-choice": "clonetruth.make.prompt_choice:STAGE",
        "generated": "clonetruth.make.generated_benchmark:STAGE",
        "contest": "clonetruth.make.contest_pairs:CONTEST_STAGE",
        "agreed-inputs": "clonetruth.make.agreed_inputs:STAGE",
        "judged": "clonetruth.make.contest_pairs:JUDGED_STAGE",
        "clonecognition": "clonetruth.make.clonecognition_check:STAGE",
        "detectors": "clonetruth.make.detector_tables:STAGE",
        "inject": "clonetruth.make.injection:STAGE",
        "injected-recall": "clonetruth.make.injected_recall:STAGE",
        "variants": "clonetruth.make.trueclones.variants:VARIANTS_STAGE",
        "executed": "clonetruth.make.trueclones.variants:EXECUTED_STAGE",
        "trueclones": "clonetruth.make.trueclones.variants:TRUECLONES_STAGE",
    },
    group="clonetruth.stages",
    of=Stage,
)
