"""Many documents: sharded over processes or a Ray cluster, resumable."""

from keyseq.batch.cluster import Cluster
from keyseq.batch.dataset import predict
from keyseq.batch.inputs import Inputs
from keyseq.batch.job import Job
from keyseq.batch.parts import Parts
from keyseq.batch.workers import Workers

__all__ = ["Cluster", "Inputs", "Job", "Parts", "Workers", "predict"]
