"""What the calculator computes: the theory, called with numbers or with the page's inputs."""

from dataclasses import dataclass, replace

from crossover.show.calculator.inputs import CUSTOM, MAX_BATCH, MAX_GAMMA, PRECISIONS
from crossover.theory import (
    ACCELERATORS,
    MODELS,
    Accelerator,
    Capacity,
    Model,
    Roofline,
    baseline_throughput,
    best_gamma,
    break_even_batch,
    ridge_point,
    speculative_throughput,
    speedup,
    time_saved,
)
from crossover.theory.models import SHAPE

EFFICIENCIES = ("compute_efficiency", "bandwidth_efficiency")
LOAD = ("gamma", "alpha", "batch", "context")


@dataclass(frozen=True)
class Setting:
    """Two latency models and the load they are under, as numbers or traced."""

    target: object
    draft: object
    gamma: object
    alpha: object
    batch: object
    context: object

    @classmethod
    def of(cls, target, draft, values):
        """Take the load out of a mapping of all inputs."""
        return cls(target, draft, *(values[name] for name in LOAD))

    def speedup(self, gamma):
        """Speedup with another gamma."""
        return speedup(self.target, self.draft, self.batch, gamma, self.alpha, self.context)

    def saved(self, batch):
        """Seconds a round saves, see `time_saved`."""
        return time_saved(self.target, self.draft, batch, self.gamma, self.alpha, self.context)

    def throughputs(self):
        """The results that any two latency models have."""
        load = self.batch, self.gamma, self.alpha, self.context
        return {
            "speedup": self.speedup(self.gamma),
            "plain": baseline_throughput(self.target, self.batch, self.context),
            "speculative": speculative_throughput(self.target, self.draft, *load),
        }


def envelope(at):
    """The results that two rooflines have, but for the searches.

    Parameters
    ----------
    at : Setting
    """
    chips = at.target.accelerator, at.draft.model, at.target.tensor_parallel
    room = Capacity(at.target.model, *chips)
    return {
        "ridge_point": ridge_point(at.target.reached_flops, at.target.reached_bandwidth),
        "knee_plain": at.target.crossover_batch(1, at.context),
        "knee_verify": at.target.crossover_batch(at.gamma + 1, at.context),
        **at.throughputs(),
        "memory_needed": room.weight_bytes + room.cache_bytes(at.batch, at.context),
        "memory_usable": room.usable_bytes,
        "largest_batch": room.largest_batch(at.context),
    }


def searched(at):
    """The results of the searches, with numbers.

    Parameters
    ----------
    at : Setting
    """
    best = best_gamma(at.target, at.draft, at.batch, at.alpha, MAX_GAMMA, at.context)
    even = break_even_batch(at.target, at.draft, at.gamma, at.alpha, MAX_BATCH, at.context)
    return {"best_gamma": best, "speedup_at_best": at.speedup(best), "break_even": even}


def setting(values):
    """Return the rooflines and the load that complete inputs stand for.

    Parameters
    ----------
    values : mapping
        As `inputs.complete` returns.
    """
    named = values["chip"] != CUSTOM
    own = {precision: values[f"chip_{precision}"] * 1e12 for precision in ("fp16", "int8", "fp8")}
    bandwidth, memory = values["chip_bandwidth"] * 1e9, values["chip_memory"] * 1e9
    chip = ACCELERATORS[values["chip"]] if named else Accelerator(CUSTOM, own, bandwidth, memory)
    return Setting.of(*(_roofline(values, role, chip) for role in ("target", "draft")), values)


def _roofline(values, role, chip):
    _, stored, arithmetic = PRECISIONS[values[f"{role}_precision"]]
    if values[role] == CUSTOM:
        shape = [values[f"{role}_{field}"] for field in SHAPE]
        model = Model(CUSTOM, values[f"{role}_params"] * 1e9, stored, *shape)
    else:
        model = replace(MODELS[values[role]], bytes_per_param=stored)
    reached = {name: values[name] for name in EFFICIENCIES}
    return Roofline(model, chip, arithmetic, tensor_parallel=values["count"], **reached)
