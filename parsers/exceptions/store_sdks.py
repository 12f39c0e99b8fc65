"""What the clients of object stores in Java raise: Amazon's, Google's and Azure's, and Hadoop's file systems above them."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.store_sdk",
    writer="aws-sdk-java 1 and 2, google-cloud-storage, azure-storage-blob, hadoop-aws",
    types=(
        r"^com\.amazonaws\.(?:\w+\.){0,6}\w*(?:Exception|Error)$",
        r"^software\.amazon\.awssdk\.(?:\w+\.){0,6}\w*(?:Exception|Error)$",
        r"^com\.google\.cloud\.storage\.\w*Exception$",
        r"^com\.azure\.storage\.(?:\w+\.){0,6}\w*Exception$",
        r"^org\.apache\.hadoop\.fs\.s3a?\.\w*Exception$",
    ),
    cls=FailureClass.STORAGE_IO,
    weight=62,
    title="the client of an object store failed",
    samples=(
        Raised("com.amazonaws.SdkClientException: Data read has a different length than the expected: dataLength=57"),
        Raised("software.amazon.awssdk.services.s3.model.S3Exception: part 57 was not found"),
        Raised("com.google.cloud.storage.StorageException: 503 of part 57"),
        Raised("com.azure.storage.blob.models.BlobStorageException: part 57 is busy"),
        Raised("org.apache.hadoop.fs.s3a.AWSS3IOException: copy of part 57"),
    ),
)
