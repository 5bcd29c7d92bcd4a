"""Models: parameters, bytes, and the shape that sets the size of the KV cache."""

from dataclasses import dataclass

from .validation import Table, check_number

SHAPE = ("layers", "heads", "kv_heads", "head_dim")


@dataclass(frozen=True)
class Model:
    """One model, as the roofline sees it.

    Parameters
    ----------
    name : str
    params : float
        N, parameters.
    bytes_per_param : float
        d, bytes a stored parameter takes: 2 for fp16, 1 for int8, 0.5 for int4.
    layers, heads, kv_heads, head_dim : int, optional
        The shape; only the KV cache and attention need it. `kv_heads` is below
        `heads` where queries share keys and values (grouped queries).
    kv_bytes_per_value : float
        Bytes a cached key or value element takes.

    Raises
    ------
    ValueError
        A figure is not a finite positive number, or a shape is not whole.
    """

    name: str
    params: float
    bytes_per_param: float = 2
    layers: int = None
    heads: int = None
    kv_heads: int = None
    head_dim: int = None
    kv_bytes_per_value: float = 2

    def __post_init__(self):
        for field in ("params", "bytes_per_param", "kv_bytes_per_value"):
            self._set(field, check_number(field, getattr(self, field), above=0))
        for field in SHAPE:
            if getattr(self, field) is not None:
                self._set(field, check_number(field, getattr(self, field), 1, whole=True))

    def _set(self, field, value):
        # A frozen dataclass sets its own fields only this way. Whole numbers stay
        # ints, so that counts of bytes print as counts.
        whole = isinstance(value, float) and value.is_integer()
        object.__setattr__(self, field, int(value) if whole else value)

    def need_shape(self, purpose, *fields):
        """Raise ValueError, naming `purpose` and what is missing, unless all `fields` are given."""
        missing = [field for field in fields if getattr(self, field) is None]
        if missing:
            raise ValueError(
                f"{purpose} needs {', '.join(missing)} of {self.name}; "
                f"give them to Model(...) or pick one of MODELS"
            )

    @property
    def weight_bytes(self):
        """N·d, the bytes one pass streams."""
        return self.params * self.bytes_per_param

    @property
    def kv_bytes_per_token(self):
        """Bytes of keys and values one cached token takes: 2·layers·kv_heads·head_dim·bytes.

        Raises
        ------
        ValueError
            A shape field is missing; the message names it.
        """
        self.need_shape("kv_bytes_per_token", "layers", "kv_heads", "head_dim")
        per_layer = 2 * self.kv_heads * self.head_dim * self.kv_bytes_per_value
        return self.layers * per_layer


def _published(name, params, layers, heads, kv_heads, head_dim):
    return name, Model(name, params, 2, layers, heads, kv_heads, head_dim)


# Parameter counts and shapes of the published checkpoints (config.json of each).
MODELS = Table("model", [
    #           name              parameters      layers heads kv  head_dim
    _published("Llama-2-7B",      6_738_415_616,   32,   32,   32, 128),
    _published("Llama-2-70B",     68_976_648_192,  80,   64,   8,  128),
    _published("Llama-3-8B",      8_030_261_248,   32,   32,   8,  128),
    _published("Llama-3-70B",     70_553_706_496,  80,   64,   8,  128),
    _published("Llama-3.1-405B",  405_853_388_800, 126,  128,  8,  128),
])
