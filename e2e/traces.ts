import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Host } from '@innkeeper/lab/host'

/** Traces of a website on its host, counted by the host's own tools. */
export interface Traces {
  account: number
  /** Folders of the website, and index pages in them. */
  folder: number
  pages: number
  pools: number
  /** PHP masters of the account: enabled and running. */
  masters: number
  sockets: number
  /** Files of the site, and `server_name` lines with its domain in the loaded configuration of nginx. */
  siteFiles: number
  served: number
}

export const once: Traces = {
  account: 1,
  folder: 1,
  pages: 1,
  pools: 1,
  masters: 1,
  sockets: 1,
  siteFiles: 1,
  served: 1,
}
export const none: Traces = {
  account: 0,
  folder: 0,
  pages: 0,
  pools: 0,
  masters: 0,
  sockets: 0,
  siteFiles: 0,
  served: 0,
}

/** The values are constants of the tests, so they are safe in a shell command. */
export async function traces(host: Host, { domain, username }: Pick<Website, 'domain' | 'username'>): Promise<Traces> {
  const script = `
    echo account $(grep -c '^${username}:' /etc/passwd)
    echo folder $(ls -d /home/${username}/${domain} 2>/dev/null | wc -l)
    echo pages $(find /home/${username}/${domain} -type f -name index.php 2>/dev/null | wc -l)
    echo pools $(find /etc/innkeeper/php /etc/php -name '${username}*' -type f 2>/dev/null | wc -l)
    echo masters $(systemctl list-units --plain --no-legend --state=running 'innkeeper-php*@${username}.service' | wc -l)
    echo sockets $(find /run/php -name '${username}-*' 2>/dev/null | wc -l)
    echo siteFiles $(find /etc/nginx -name '${domain}*' -type f -not -path '*/innkeeper/tls/*' -not -path '*/innkeeper/https/*' 2>/dev/null | wc -l)
    echo served $(nginx -T 2>/dev/null | grep -cE 'server_name (.* )?${domain.replaceAll('.', '\\.')}[ ;]')`
  const { stdout } = await host.exec(['sh', '-c', script])
  const counts = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  // the names come from the script above
  return Object.fromEntries(counts.map(([name, count]) => [name, Number(count)])) as unknown as Traces
}

/** Whether `nginx -t` accepts the configuration. */
export const nginxIsGood = async (host: Host): Promise<boolean> => (await host.exec(['nginx', '-t'])).code === 0
