"""Attention that is told distances: slopes that fall with the distance, or learned buckets of it."""
import math

import torch
from torch import nn
import torch.nn.functional as F


def get_slopes(n_heads):
    closest_power_of_2 = 2 ** math.floor(math.log2(n_heads))
    base = torch.tensor(2 ** (-(2 ** -(math.log2(closest_power_of_2) - 3))), dtype=torch.float32)
    powers = torch.arange(1, 1 + closest_power_of_2, dtype=torch.int32)
    slopes = torch.pow(base, powers)
    if closest_power_of_2 != n_heads:
        extra_base = torch.tensor(2 ** (-(2 ** -(math.log2(2 * closest_power_of_2) - 3))), dtype=torch.float32)
        num_remaining_heads = min(closest_power_of_2, n_heads - closest_power_of_2)
        extra_powers = torch.arange(1, 1 + 2 * num_remaining_heads, 2, dtype=torch.int32)
        slopes = torch.cat([slopes, torch.pow(extra_base, extra_powers)], dim=0)
    return slopes


class LinearBias(nn.Module):
    """(T) to (h, T, T): minus the distance, times the head's slope."""

    def __init__(self, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.register_buffer("slopes", get_slopes(n_heads), persistent=False)

    def forward(self, seq_len):
        where = torch.arange(seq_len, device=self.slopes.device)
        distance = (where[None, :] - where[:, None]).abs()
        return -distance.unsqueeze(0) * self.slopes.view(-1, 1, 1)


class BucketBias(nn.Module):
    """(T, T) to (1, h, T, T): a number for each head and bucket of distances, far ones in wider buckets."""

    def __init__(self, n_heads, num_buckets=8, max_distance=16, bidirectional=True):
        super().__init__()
        self.num_buckets, self.max_distance = num_buckets, max_distance
        self.bidirectional = bidirectional
        self.relative_attention_bias = nn.Embedding(num_buckets, n_heads)

    @staticmethod
    def _relative_position_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        relative_buckets = 0
        if bidirectional:
            num_buckets //= 2
            relative_buckets += (relative_position > 0).to(torch.long) * num_buckets
            relative_position = torch.abs(relative_position)
        else:
            relative_position = -torch.min(relative_position, torch.zeros_like(relative_position))
        max_exact = num_buckets // 2
        is_small = relative_position < max_exact
        relative_position_if_large = max_exact + (
            torch.log(relative_position.float() / max_exact)
            / math.log(max_distance / max_exact)
            * (num_buckets - max_exact)
        ).to(torch.long)
        relative_position_if_large = torch.min(
            relative_position_if_large, torch.full_like(relative_position_if_large, num_buckets - 1)
        )
        relative_buckets += torch.where(is_small, relative_position, relative_position_if_large)
        return relative_buckets

    def forward(self, query_length, key_length, device=None):
        if device is None:
            device = self.relative_attention_bias.weight.device
        context_position = torch.arange(query_length, dtype=torch.long, device=device)[:, None]
        memory_position = torch.arange(key_length, dtype=torch.long, device=device)[None, :]
        relative_position = memory_position - context_position
        relative_position_bucket = self._relative_position_bucket(
            relative_position,
            bidirectional=self.bidirectional,
            num_buckets=self.num_buckets,
            max_distance=self.max_distance,
        )
        values = self.relative_attention_bias(relative_position_bucket)
        return values.permute([2, 0, 1]).unsqueeze(0)


class RelativeAttention(nn.Module):
    def __init__(self, d_model, n_heads, kind="linear"):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.kind = kind
        biases = {"linear": LinearBias, "buckets": BucketBias}
        try:
            self.bias = biases[kind](n_heads)
        except KeyError:
            raise ValueError(f"kind is one of {sorted(biases)}, not {kind!r}")

    def forward(self, x):
        B, T, C = x.shape
        qkv = self.qkv(x).reshape(B, T, 3, self.n_heads, C // self.n_heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / (C // self.n_heads) ** 0.5
        scores += self.bias(T) if self.kind == "linear" else self.bias(T, T)
        causal = torch.ones(T, T, dtype=torch.bool, device=x.device).triu_(1)
        weights = F.softmax(scores.masked_fill(causal, torch.finfo(scores.dtype).min), dim=-1)
        return torch.einsum("bhij,bhjd->bhid", weights, v).transpose(1, 2).flatten(2)
