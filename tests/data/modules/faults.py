"""One layer of attention over two tables, and what goes wrong in it: a class each, the line at fault is marked."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Layer(nn.Module):
    """As it is meant: ids (B, T) in, (B, T, C) out."""

    def __init__(self, vocab_size=50, d_model=32, n_heads=4, max_len=16):
        super().__init__()
        self.n_heads = n_heads
        self.token_embeddings = nn.Embedding(vocab_size, d_model)
        self.position_embeddings = nn.Embedding(max_len, d_model)
        self.query = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_model, d_model)
        self.out = nn.Linear(d_model, d_model)

    def embed(self, ids):
        B, T = ids.shape
        positions = torch.arange(0, T, device=ids.device).unsqueeze(0)
        return self.token_embeddings(ids) + self.position_embeddings(positions)

    def heads(self, x):
        B, T, C = x.shape
        return x.view(B, T, self.n_heads, C // self.n_heads).transpose(1, 2)

    def attend(self, x):
        q, k, v = self.heads(self.query(x)), self.heads(self.key(x)), self.heads(self.value(x))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        mask = torch.tril(torch.ones(scores.shape[-2:], device=x.device))
        return F.softmax(scores.masked_fill(mask == 0, float("-inf")), dim=-1) @ v

    def merge(self, y):
        B, h, T, d = y.shape
        return y.transpose(1, 2).contiguous().view(B, T, h * d)

    def forward(self, ids):
        x = self.embed(ids)
        y = self.merge(self.attend(x))
        return x + self.out(y)


class PositionsElsewhere(Layer):
    """Positions are made on the cpu, wherever the ids are."""

    def embed(self, ids):
        B, T = ids.shape
        positions = torch.arange(0, T).unsqueeze(0)
        tok_emb = self.token_embeddings(ids)
        pos_emb = self.position_embeddings(positions)  # at fault
        return tok_emb + pos_emb


class HeadsUnmerged(Layer):
    """Heads lie across the memory after transpose, and view cannot merge them."""

    def merge(self, y):
        B, h, T, d = y.shape
        y = y.transpose(1, 2)
        return y.view(B, T, h * d)  # at fault


class KeysUnturned(Layer):
    """The wrong two axes of the keys change places."""

    def attend(self, x):
        q, k, v = self.heads(self.query(x)), self.heads(self.key(x)), self.heads(self.value(x))
        turned = k.transpose(1, 2)
        scores = q @ turned  # at fault
        return F.softmax(scores, dim=-1) @ v


class CountsSentences(Layer):
    """Positions count the sentences of the batch instead of the places of a sentence."""

    def embed(self, ids):
        batch_size, seq_len = ids.shape
        positions = torch.arange(0, batch_size, device=ids.device).unsqueeze(0)
        tok_emb = self.token_embeddings(ids)
        pos_emb = self.position_embeddings(positions)
        return tok_emb + pos_emb  # at fault


class WrongFeatures(Layer):
    """The last product expects more channels than come."""

    def __init__(self, d_model=32):
        super().__init__(d_model=d_model)
        self.out = nn.Linear(2 * d_model, d_model)

    def forward(self, ids):
        x = self.embed(ids)
        y = self.merge(self.attend(x))
        z = self.out(y)  # at fault
        return x + z


class UnevenHeads(Layer):
    """Five heads do not share 32 channels."""

    def __init__(self):
        super().__init__(n_heads=5)

    def heads(self, x):
        B, T, C = x.shape
        size = C // self.n_heads
        return x.view(B, T, self.n_heads, size).transpose(1, 2)  # at fault


class FloatIds(Layer):
    """Ids are divided, and come out as fractions."""

    def embed(self, ids):
        halves = ids / 2
        return self.token_embeddings(halves)  # at fault


class IdsBeyond(Layer):
    """Ids are moved up by as many as the table has rows."""

    def embed(self, ids):
        moved = ids + self.token_embeddings.num_embeddings
        return self.token_embeddings(moved)  # at fault
