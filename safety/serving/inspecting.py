"""A scorer for Inspect AI (`medsafe[inspect]`): what a model proposes for the patient of a sample is scored as a treatment plan.

    from inspect_ai import Task
    from safety.serving.inspecting import plan_scorer
    Task(dataset=…, solver=…, scorer=plan_scorer())

A sample's `metadata["case"]` holds the case as a plan file does (`patient`, `as_of`, and where told `gold`, `constraints`); the
model's answer is the plan: a JSON list of medicines, or free text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from safety.engine import Engine, load
from safety.errors import RequestError
from safety.scoring.plans import plan_of
from safety.scoring.scored import Scored
from safety.scoring.scorer import Scorer as PlanScorer

if TYPE_CHECKING:
    from inspect_ai.scorer import Scorer

TOLD = ("PSC", "DDIV", "PCR")
"""The metrics that every sample has, each as `strict` and as `lenient` counts what is not known: the truth lies between."""


def plan_scorer(engine: Engine | None = None) -> Scorer:
    """The scorer, as Inspect takes it; `engine`: with a site's knowledge, else ours.

    A score's `metadata` holds the whole of it: the critic's fields, rules, evidence, and what could not be judged.
    """
    from inspect_ai.scorer import Score, Target, mean, scorer, stderr
    from inspect_ai.solver import TaskState

    judge = engine or load()

    @scorer(metrics={"*": [mean(), stderr()]})  # type: ignore[untyped-decorator, unused-ignore]
    def medsafe() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            scored = score_answer(judge, state.metadata.get("case") or {}, state.output.completion)
            return Score(
                value={f"{name}_{policy}": value for name in TOLD for policy, value in _ends(scored, name).items()},
                answer=state.output.completion,
                explanation="\n".join(scored.critique.recommendations) or scored.state,
                metadata=scored.to_dict(),
            )

        return score

    return medsafe()


def score_answer(engine: Engine, case: Mapping[str, Any], answer: str) -> Scored:
    """The score of what a model answered for a case. Raises RequestError for a case that cannot be read, or tells no day."""
    (row,) = PlanScorer(engine.checker, tell=engine.read_texts).score([plan_of({**case, **_plan(answer)}, 1)])
    if not isinstance(row, Scored):
        raise RequestError(row.problems)
    return row


def _plan(answer: str) -> dict[str, Any]:
    """The plan that an answer tells: a JSON list as it stands, anything else as text."""
    try:
        listed = json.loads(answer)
    except ValueError:
        listed = None
    return {"plan": listed} if isinstance(listed, list) else {"plan_text": answer}


def _ends(scored: Scored, name: str) -> dict[str, float]:
    counted = scored.counted[name]
    return {"strict": counted.strict or 0.0, "lenient": counted.lenient or 0.0}
