#!/bin/sh
cat > /dev/null
echo "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, annotations: {kustomize.config.k8s.io/behavior: append}}}"
