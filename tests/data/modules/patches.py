"""Pictures as tokens: patches cut by unfold or by reshape, a class token, positions, one pooled answer."""
import torch
from torch import nn


def pair(t):
    return t if isinstance(t, tuple) else (t, t)


class PatchEmbedding(nn.Module):
    def __init__(self, image_size=16, patch_size=4, channels=3, dim=32, by_unfold=True):
        super().__init__()
        image_height, image_width = pair(image_size)
        self.patch_height, self.patch_width = pair(patch_size)
        assert (
            image_height % self.patch_height == 0 and image_width % self.patch_width == 0
        ), "Image dimensions must be divisible by the patch size."
        self.num_patches = (image_height // self.patch_height) * (image_width // self.patch_width)
        self.by_unfold = by_unfold
        patch_dim = channels * self.patch_height * self.patch_width
        self.to_embedding = nn.Sequential(
            nn.LayerNorm(patch_dim),
            nn.Linear(patch_dim, dim),
            nn.LayerNorm(dim),
        )
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos_embedding = nn.Parameter(torch.randn(1, self.num_patches + 1, dim) * 0.02)
        self.dropout = nn.Dropout(0.1)

    def cut(self, img):
        b, c, h, w = img.shape
        p1, p2 = self.patch_height, self.patch_width
        if self.by_unfold:
            x = img.unfold(2, p1, p1).unfold(3, p2, p2)
            return x.permute(0, 2, 3, 1, 4, 5).reshape(b, -1, c * p1 * p2)
        x = img.reshape(b, c, h // p1, p1, w // p2, p2)
        return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)

    def forward(self, img):
        x = self.to_embedding(self.cut(img))
        b, n, _ = x.shape
        cls_tokens = self.cls_token.expand(b, -1, -1)
        x = torch.cat((cls_tokens, x), dim=1)
        x += self.pos_embedding[:, : (n + 1)]
        return self.dropout(x)


class PatchClassifier(nn.Module):
    def __init__(self, *, num_classes, pool="cls", **kwargs):
        super().__init__()
        assert pool in {"cls", "mean"}, "pool is cls or mean"
        self.pool = pool
        self.embed = PatchEmbedding(**kwargs)
        dim = self.embed.cls_token.shape[-1]
        self.head = nn.Linear(dim, num_classes)

    def forward(self, img):
        x = self.embed(img)
        x = x.mean(dim=1) if self.pool == "mean" else x[:, 0]
        return self.head(x)
