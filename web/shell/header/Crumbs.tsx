import { Anchor, Text } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { Link, useLocation, useMatches, useRouterState } from '@tanstack/react-router'
import { Logo } from '../../kit/frame/Logo.tsx'
import { nameOf } from '../../kit/frame/names.ts'
import { useCrumb } from '../../kit/frame/trail.ts'
import type { ShownMenu } from '../menu/useMenu.ts'
import { isOpen, sources } from '../search/search.ts'
import { useFrameTexts } from '../texts.ts'
import { CrumbSwitch } from './CrumbSwitch.tsx'
import css from './Header.module.css'

interface Step {
  label: string
  path?: string
  mono?: boolean
}

/** Breadcrumbs: menu groups, menu item, title of the screen. On a phone: "‹ Parent". */
export function Crumbs({ menu }: { menu: ShownMenu }) {
  const pathname = useLocation({ select: (location) => location.pathname })
  const crumb = useCrumb()
  // until the code of a screen is there, the former screen still states its title
  const isThere = useRouterState({
    select: ({ location, resolvedLocation }) => location.pathname === resolvedLocation?.pathname,
  })
  const leaf = menu.active[0]
  const groups = (leaf?.groups ?? []).filter((label) => label !== leaf?.item.label)
  const steps: Step[] = groups.map((label) => ({ label: nameOf(label) }))
  if (leaf) steps.push({ label: nameOf(leaf.item.label), path: leaf.item.path })
  if (crumb && isThere && leaf?.item.path !== pathname) steps.push({ label: crumb.title, mono: crumb.mono })
  const route = useMatches({ select: (matches) => matches.at(-1)?.fullPath })
  const source = sources.find((one) => one.page === route && isOpen(one))
  const parent = steps.slice(0, -1).findLast((step) => step.path)

  return (
    <>
      <Text component="div" hiddenFrom="sm" miw={0} fz="md">
        {parent?.path ? (
          <Anchor component={Link} to={parent.path} className={css.back} fz="md">
            <IconChevronLeft size={17} />
            {parent.label}
          </Anchor>
        ) : (
          <Text component="span" className={css.back} fw={600} fz="md" style={{ gap: 8 }}>
            <Logo size={20} />
            Innkeeper
          </Text>
        )}
      </Text>
      <Text component="nav" aria-label={useFrameTexts().breadcrumb} visibleFrom="sm" miw={0}>
        <ol className={css.crumbs}>
          {steps.map((step, i) => (
            // two steps may have the same label
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={i}>
              {i > 0 && (
                <span className={css.slash} aria-hidden>
                  /
                </span>
              )}
              {source && crumb && isThere && i === steps.length - 1 ? (
                <CrumbSwitch source={source} label={step.label} mono={step.mono} />
              ) : (
                <Crumb step={step} last={i === steps.length - 1} />
              )}
            </li>
          ))}
        </ol>
      </Text>
    </>
  )
}

function Crumb({ step: { label, path, mono }, last }: { step: Step; last: boolean }) {
  if (path && !last)
    return (
      <Anchor component={Link} to={path} c="dimmed">
        {label}
      </Anchor>
    )
  return (
    <Text
      span
      truncate
      title={label}
      c={last ? undefined : 'dimmed'}
      ff={mono ? 'monospace' : undefined}
      aria-current={last ? 'page' : undefined}
    >
      {label}
    </Text>
  )
}
