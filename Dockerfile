# A sandbox in an image of its own: JSON on 7575, gRPC on 6865, a part of the admin API on 6866. It runs as nobody in particular, and is
# healthy when it is ready. Build the package first (`npm pack`), then: docker build --build-arg PACKAGE=canticle-0.1.0.tgz -t canticle .
FROM node:22-alpine AS install
ARG PACKAGE
WORKDIR /opt/canticle
COPY ${PACKAGE} package.tgz
RUN npm install --no-save --omit=dev --omit=peer --no-audit --no-fund ./package.tgz && rm package.tgz

FROM node:22-alpine
COPY --from=install /opt/canticle/node_modules /opt/canticle/node_modules
USER node
WORKDIR /home/node
ENV CANTICLE_DARS=/dars
EXPOSE 7575 6865 6866
HEALTHCHECK --interval=2s --timeout=2s --start-period=10s --retries=10 \
  CMD node -e "fetch('http://127.0.0.1:7575/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["node", "/opt/canticle/node_modules/canticle/bin/canticle.js"]
CMD ["sandbox", "--host", "0.0.0.0", "--json-api-port", "7575", "--ledger-api-port", "6865", "--admin-api-port", "6866"]
