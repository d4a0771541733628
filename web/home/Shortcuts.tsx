import { missing } from '@innkeeper/contract/access'
import { Text } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useSession } from '../kit/access/session.ts'
import { Section } from '../kit/frame/Section.tsx'
import { initials } from '../kit/look/initials.ts'
import { useMenu } from '../shell/menu/useMenu.ts'
import css from './Home.module.css'

/** The most frequent screens, shown first. */
const first = ['/websites/create', '/server/create']

/** Screens that this person may open, those that create objects first. */
export function Shortcuts() {
  const user = useSession()
  const { all } = useMenu()
  const { routesByPath } = useRouter()
  const acts = Object.entries(routesByPath).flatMap(([path, route]) => {
    const place = route.options.staticData?.place
    const may = place && first.includes(path) && !missing(user, place.scope).length
    return may ? [{ path, label: place.title, tag: place.title }] : []
  })
  const ways = [
    ...acts,
    ...all.map(({ item, groups, name }) => ({ path: item.path, label: name, tag: groups[0] ?? name })),
  ]
  return (
    <Section title="Go to" hint="or Ctrl K" pad={false}>
      <nav className={css.ways} aria-label="Shortcuts">
        {ways.map(({ path, label, tag }) => (
          <Link key={path} to={path} className={css.way}>
            <span className={css.key} aria-hidden>
              {initials(tag)}
            </span>
            {label}
          </Link>
        ))}
      </nav>
      {ways.length === 0 && (
        <Text c="dimmed" p={14}>
          You hold no permissions yet. An administrator can give you a role.
        </Text>
      )}
    </Section>
  )
}
