#!/bin/sh
# Installs the command for everybody in the container. Node comes with the image, or with the feature `node`, which is installed first.
set -eu
case "${VERSION:-latest}" in
  */* | *.tgz) package=$VERSION ;;
  *) package="canticle@${VERSION:-latest}" ;;
esac
# A shell that has not logged in may not know where that feature has put it.
if ! command -v npm > /dev/null && [ -s /usr/local/share/nvm/nvm.sh ]; then . /usr/local/share/nvm/nvm.sh; fi
if ! command -v npm > /dev/null; then
  echo 'canticle: npm is not here. Add the feature ghcr.io/devcontainers/features/node, or take an image with Node 20 or later.' >&2
  exit 1
fi
npm install --global --no-audit --no-fund "$package"
canticle --version
