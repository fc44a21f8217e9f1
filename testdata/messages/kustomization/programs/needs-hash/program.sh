#!/bin/sh
cat > /dev/null
echo "{apiVersion: v1, kind: ConfigMap, metadata: {name: app, annotations: {kustomize.config.k8s.io/behavior: merge, kustomize.config.k8s.io/needs-hash: \"true\"}}}"
