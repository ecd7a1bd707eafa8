# The server, the worker and the operator commands in one image: docs/operators/install.md.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/db/package.json packages/db/
COPY apps/api/package.json apps/api/
COPY apps/web/package.json apps/web/
COPY apps/dev/package.json apps/dev/
COPY e2e/package.json e2e/
COPY bench/package.json bench/
COPY faults/package.json faults/
COPY checks/package.json checks/
RUN npm ci --workspace @guildhall/api --workspace @guildhall/db --workspace @guildhall/contract --workspace @guildhall/web --include-workspace-root=false
COPY features.json tsconfig.base.json ./
COPY packages packages
COPY apps/web apps/web
RUN npm run build --workspace @guildhall/web

FROM node:24-bookworm-slim
# Names of other systems are looked up in these threads: with the usual four, one slow name server would hold up webhooks to others.
ENV NODE_ENV=production HOST=0.0.0.0 WEB_DIST=/app/apps/web/dist FILES_DIR=/files UV_THREADPOOL_SIZE=16
WORKDIR /app
COPY --from=build /app/package.json /app/package-lock.json /app/.npmrc ./
COPY --from=build /app/packages/contract/package.json packages/contract/
COPY --from=build /app/packages/db/package.json packages/db/
COPY apps/api/package.json apps/api/
COPY apps/web/package.json apps/web/
COPY apps/dev/package.json apps/dev/
COPY e2e/package.json e2e/
COPY bench/package.json bench/
COPY faults/package.json faults/
COPY checks/package.json checks/
RUN npm ci --omit=dev --workspace @guildhall/api --workspace @guildhall/db --workspace @guildhall/contract --include-workspace-root=false && npm cache clean --force
COPY features.json ./
COPY packages packages
COPY apps/api apps/api
COPY openapi openapi
COPY --from=build /app/apps/web/dist apps/web/dist
RUN mkdir /files && chown node:node /files
USER node
VOLUME /files
EXPOSE 3000
HEALTHCHECK --start-period=20s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/api/src/server.ts"]
