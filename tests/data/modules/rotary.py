"""Attention with rotary positions, RMS norm, a gated MLP, and fewer heads for keys than for queries."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def rotate_half(x):
    """Half of the channels, turned by a quarter."""
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def rotate_every_two(x):
    x1 = x[..., ::2]
    x2 = x[..., 1::2]
    return torch.stack((-x2, x1), dim=-1).flatten(-2)


def repeat_kv(x, n_rep):
    b, h, t, d = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None, :, :].expand(b, h, n_rep, t, d).reshape(b, h * n_rep, t, d)


class RMSNorm(nn.Module):
    def __init__(self, dim: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        return self._norm(x.float()).type_as(x) * self.weight


class Rotary(nn.Module):
    def __init__(self, dim, max_position=64, base=10000, interleaved=False):
        super().__init__()
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inv_freq", inv_freq)
        self.interleaved = interleaved
        self._seq_len_cached = None
        self._cos_cached, self._sin_cached = None, None

    def _update(self, x, seq_len):
        if seq_len != self._seq_len_cached:
            self._seq_len_cached = seq_len
            t = torch.arange(seq_len, device=x.device).type_as(self.inv_freq)
            freqs = torch.outer(t, self.inv_freq)
            if self.interleaved:
                emb = freqs.repeat_interleave(2, dim=-1)
            else:
                emb = torch.cat((freqs, freqs), dim=-1)
            self._cos_cached = emb.cos()[None, None, :, :]
            self._sin_cached = emb.sin()[None, None, :, :]
        return self._cos_cached, self._sin_cached

    def forward(self, q, k):
        cos, sin = self._update(k, k.shape[-2])
        rotate = rotate_every_two if self.interleaved else rotate_half
        return (q * cos) + (rotate(q) * sin), (k * cos) + (rotate(k) * sin)


class RotaryAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_kv_heads=None, **kwargs):
        super().__init__()
        self.n_heads = n_heads
        self.n_kv_heads = n_kv_heads or n_heads
        self.n_rep = self.n_heads // self.n_kv_heads
        self.head_dim = d_model // n_heads
        self.q_proj = nn.Linear(d_model, self.n_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(d_model, self.n_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(d_model, self.n_kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(self.n_heads * self.head_dim, d_model, bias=False)
        self.rotary = Rotary(self.head_dim, **kwargs)

    def forward(self, x, mask=None):
        bsz, seqlen, _ = x.shape
        xq, xk, xv = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        xq = xq.view(bsz, seqlen, self.n_heads, self.head_dim).transpose(1, 2)
        xk = xk.view(bsz, seqlen, self.n_kv_heads, self.head_dim).transpose(1, 2)
        xv = xv.view(bsz, seqlen, self.n_kv_heads, self.head_dim).transpose(1, 2)
        xq, xk = self.rotary(xq, xk)
        keys, values = repeat_kv(xk, self.n_rep), repeat_kv(xv, self.n_rep)
        if mask is None:
            mask = torch.full((seqlen, seqlen), float("-inf"), device=x.device)
            mask = torch.triu(mask, diagonal=1)
        output = F.scaled_dot_product_attention(xq, keys, values, attn_mask=mask)
        output = output.transpose(1, 2).reshape(bsz, seqlen, -1)
        return self.o_proj(output)


class GatedMLP(nn.Module):
    def __init__(self, dim: int, hidden_dim: int, multiple_of: int = 16):
        super().__init__()
        hidden_dim = int(2 * hidden_dim / 3)
        hidden_dim = multiple_of * ((hidden_dim + multiple_of - 1) // multiple_of)
        self.gate_proj = nn.Linear(dim, hidden_dim, bias=False)
        self.up_proj = nn.Linear(dim, hidden_dim, bias=False)
        self.down_proj = nn.Linear(hidden_dim, dim, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class RotaryBlock(nn.Module):
    def __init__(self, layer_id: int, d_model=32, n_heads=4, n_kv_heads=2, **kwargs):
        super().__init__()
        self.layer_id = layer_id
        self.attention = RotaryAttention(d_model, n_heads, n_kv_heads, **kwargs)
        self.feed_forward = GatedMLP(d_model, 4 * d_model)
        self.attention_norm, self.ffn_norm = RMSNorm(d_model), RMSNorm(d_model)

    def forward(self, x):
        h = x + self.attention(self.attention_norm(x))
        return h + self.feed_forward(self.ffn_norm(h))
