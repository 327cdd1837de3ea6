"""Pods: tables of three and more, where points go by place."""
