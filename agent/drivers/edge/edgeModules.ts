import { existsSync } from 'node:fs'

/** Modules of nginx that this machine loads. */
export const has = {
  brotli: () => existsSync('/etc/nginx/modules-enabled/50-mod-http-brotli-filter.conf'),
  script: () => existsSync('/etc/nginx/modules-enabled/50-mod-http-js.conf'),
}

/**
 * Throws without the script module: the configuration of nginx alone does not notice a header that names a visitor, nor several
 * lines of `Vary`, so that a cache would give the page of one visitor to everybody.
 */
export function needScript(): void {
  if (has.script()) return
  throw new Error(
    'The cache needs a module that nginx does not load here: install libnginx-mod-http-js (apt-get install libnginx-mod-http-js), then retry. Nothing was changed',
  )
}
