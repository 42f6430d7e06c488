"""The papers that rules refer to."""

from __future__ import annotations

HARMFUL = "Krinke and Ragkhitwetsagul, “BigCloneBench Considered Harmful for Machine Learning”, IWSC 2022"
MISUSE = "Krinke and Ragkhitwetsagul, “How the Misuse of a Dataset Harmed Semantic Clone Detection”, 2025"
PERSPECTIVES = (
    "Li, Gao and Zhang, “Assessing and Improving Dataset and Evaluation Methodology in Deep Learning for Code Clone "
    "Detection”, ISSRE 2023"
)
GPTCLONEBENCH = (
    "Alam et al., “GPTCloneBench: A comprehensive benchmark of semantic clones and cross-language clones”, ICSME 2023"
)
GENERALIZABILITY = "Sonnekalb et al., “Generalizability of Code Clone Detection on CodeBERT”, ASE 2022"
DUPLICATION = "Allamanis, “The Adverse Effects of Code Duplication in Machine Learning Models of Code”, Onward! 2019"
SOURCERERCC = "Sajnani et al., “SourcererCC: Scaling Code Clone Detection to Big-Code”, ICSE 2016"
NAMES = (
    "Yu et al., “Assessing and Improving an Evaluation Dataset for Detecting Semantic Code Clones via Deep Learning”, "
    "TOSEM 2022"
)
DATASHEETS = "Gebru et al., “Datasheets for Datasets”, CACM 2021"
BIGCLONEEVAL = "BigCloneEval, issue 28 (recorded ranges that do not hold one function)"
CUTS = (
    "Svajlenko and Roy, “BigCloneEval: A Clone Detection Tool Evaluation Framework with BigCloneBench”, ICSME 2016 "
    "(four similarities to cut by)"
)
