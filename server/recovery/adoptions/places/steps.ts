import { systemUserEnsure } from '../../../hosting/systemUsers/actions.ts'
import { limitsOf } from '../../../hosting/systemUsers/steps.ts'
import { ask, onSite, onUser, pool, type Site, served, siteType } from '../../../hosting/websites/siteSteps.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { nginxEnsure, phpEnsure } from '../../../machines/servers/actions.ts'
import { panelRest, placeTake } from '../actions.ts'

/** Steps that take over a website where it lies, and the one that changes what serves it. Their undo gives the website back. */
export function taking(
  site: Site,
  { website, seen }: { website: string; seen: string },
): { steps: PlanStep[]; take: PlanStep } {
  const on = (type: string) => ({
    server: site.server.id,
    resource: { type, id: site.server.id, name: site.server.name },
  })
  const take = step(placeTake, { ...served(site), state: 'active', website, seen }, onSite(site, siteType(site)))
  const steps = [
    step(nginxEnsure, {}, on('nginx')),
    step(phpEnsure, { phpVersion: site.phpVersion }, on('php-fpm')),
    step(panelRest, {}, on('panel')),
    step(
      systemUserEnsure,
      { username: site.systemUser.username, limits: limitsOf(site), adopted: true },
      onUser(site, 'system-user'),
    ),
    pool(site),
    take,
    ask(site, 'served'),
  ]
  return { steps, take }
}
