import type { Ran } from '../../kit/host.ts'
import type { Site } from './siteFile.ts'
import type { Changes, WebConfig } from './webConfig.ts'

/** A web server for the websites of a server. Each server runs one of the two, because both use port 80. */
export interface WebServer extends WebConfig {
  name: 'nginx' | 'apache'
  title: 'nginx' | 'Apache'
  /** The name of its systemd unit. */
  unit: string
  /** The path of its program; exists if the package is installed. */
  program: string
  /** The symlink of Debian's welcome page, which claims to be the default website. */
  placeholder: string
  /** The folder of Innkeeper's configuration: `sites`, `tls`, `https` and the shared files. */
  folder: string
  /** The file that includes Innkeeper's configuration. If it exists, this web server serves the websites. */
  main: string
  logs: string
  /** The files that all websites share. An older agent wrote fewer, so drivers that need them apply them too. */
  base(): Changes
  /** The file of trusted proxies: servers whose X-Forwarded-For and X-Forwarded-Proto count. */
  proxiesText(addresses: readonly string[]): string
  /** The status for an unknown name; undefined: closes the connection. */
  refusal: number | undefined
  /** Whether an unknown name gets this answer: somebody else on the machine may have set a default website. */
  refusesNames(): boolean
  /** The file of a website. The contract's allow-lists have checked the values: none contains a special character. */
  siteText(site: Site): string
  /** The command of the web server's own check, and what that check says against these files. */
  check: { command: readonly [string, ...string[]]; complaint(ran: Ran, ours: readonly string[]): string }
  /** The directives for the certificate in this folder. */
  tlsText(folder: string): string
  /** The directives of an open website for https: redirect and HSTS. */
  httpsText(wanted: { redirect: boolean; hsts: number }): string | undefined
  /** The directives that answer http-01 challenges of the account with this thumbprint. */
  acmeText(thumbprint: string): string
  /** Whether an answer comes from the web server because the application is unreachable. */
  isGateway(status: number | undefined, text: string): boolean
}
