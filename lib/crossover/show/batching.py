"""Pictures of batching: who holds which slot, round by round; what more rows bring."""

from matplotlib.patches import Patch, Rectangle

from .figures import BLUE, GREY, ORANGE, axes, in_style


def stays(trace):
    """Return who holds which slot, and when.

    Parameters
    ----------
    trace : sequence of Round
        An engine's, decode rounds and prefills.

    Returns
    -------
    list of (int, int, int, int)
        Request, slot, first decode round and the one after its last. A request that is
        preempted and comes back has two entries. A newcomer takes the lowest free slot.
    """
    holder, began, done, now = {}, {}, [], 0

    def leave(request, at):
        slot = next(s for s, r in holder.items() if r == request)
        del holder[slot]
        if at > began[request]:
            done.append((request, slot, began[request], at))

    for round_ in trace:
        for request in round_.admitted:
            slot = next(s for s in range(len(holder) + 1) if s not in holder)
            holder[slot], began[request] = request, now
        for request in round_.preempted:
            leave(request, now)
        now += round_.kind == "decode"
        for request in round_.finished:
            leave(request, now)
    for request in list(holder.values()):
        leave(request, now)
    return sorted(done)


@in_style
def timeline(schedules, slots):
    """Draw one panel for each schedule: slots down, decode rounds across.

    Parameters
    ----------
    schedules : mapping of str to sequence of Round
        Title to trace.
    slots : int
        How many sequences may run at once.

    Returns
    -------
    ndarray of matplotlib.axes.Axes
        x: decode rounds; y: slots of the batch. Idle time is hatched.
    """
    longest = max(sum(r.kind == "decode" for r in trace) for trace in schedules.values())
    panels = axes(
        "decode rounds",
        "slot",
        rows=len(schedules),
        figsize=(5.8, 0.8 + 1.75 * len(schedules)),
        xlim=(0, longest),
        ylim=(slots - 0.45, -0.55),
        yticks=range(slots),
        yticklabels=range(1, slots + 1),
    )
    for ax, (title, trace) in zip(panels, schedules.items(), strict=True):
        rounds = sum(r.kind == "decode" for r in trace)
        ax.grid(False)
        ax.set_title(f"{title}: {rounds} rounds", fontsize=11, loc="left")
        for slot in range(slots):
            ax.add_patch(Rectangle((0, slot - 0.4), rounds, 0.8, facecolor="white",
                                   edgecolor=ORANGE, hatch="////", linewidth=0))  # fmt: skip
        for request, slot, start, stop in stays(trace):
            ax.add_patch(Rectangle((start, slot - 0.4), stop - start, 0.8, facecolor=BLUE,
                                   edgecolor="white", linewidth=1.5))  # fmt: skip
            if stop - start > 0.045 * longest:
                ax.text((start + stop) / 2, slot, request, ha="center", va="center",
                        color="white", fontsize=9.5)  # fmt: skip
    held = Patch(facecolor=BLUE, edgecolor="white", label="a request, by number")
    idle = Patch(facecolor="white", edgecolor=ORANGE, hatch="////", label="idle slot")
    panels[0].figure.legend(handles=[held, idle], loc="outside lower center", ncols=2,
                            labelcolor=GREY)  # fmt: skip
    return panels


@in_style
def rates(batches, seconds):
    """Draw tokens per second over batch, beside what free rows would give.

    Parameters
    ----------
    batches : array of int
        Ascending.
    seconds : array
        Of a round at each of them, one token for each sequence.

    Returns
    -------
    matplotlib.axes.Axes
        x: batch; y: tokens per second of the whole batch.
    """
    ax = axes(
        "batch B (sequences in the pass)",
        "tokens per second",
        xscale="log",
        yscale="log",
        xticks=batches,
    )
    ax.minorticks_off()
    ax.plot(batches, batches / seconds[0], color=GREY, linestyle=":", label="if rows were free")
    ax.plot(batches, batches / seconds, "o-", color=BLUE, label="small engine, recorded")
    ax.legend(loc="upper left")
    return ax
