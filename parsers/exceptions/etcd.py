"""python-etcd: the store by which a job's nodes find each other is not there."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.etcd",
    writer="python-etcd 0.4, under torch.distributed.elastic's etcd rendezvous",
    title="the rendezvous' etcd could not be reached",
    types=(r"^etcd\.Etcd\w+",),
    cls=FailureClass.INIT_RENDEZVOUS,
    weight=68,
    samples=(Raised("etcd.EtcdConnectionFailed: Connection to etcd failed due to MaxRetryError('node57')"),),
)
