import { ActionIcon, Tooltip } from '@mantine/core'
import { IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Logo } from '../../kit/frame/Logo.tsx'
import { nameOf } from '../../kit/frame/names.ts'
import { initials } from '../../kit/look/initials.ts'
import type { MenuEntry } from '../../menu.ts'
import { leaves } from '../../menuView.ts'
import { useFrameTexts } from '../texts.ts'
import css from './Rail.module.css'
import type { ShownMenu } from './useMenu.ts'

/** The collapsed menu: initials of each title. A group leads to its first screen. */
export const Rail = ({ menu, widen }: { menu: ShownMenu; widen: () => void }) => (
  <>
    <div className={css.top}>
      <Logo />
    </div>
    <nav className={css.rail} aria-label={useFrameTexts.now().mainMenu}>
      {menu.areas.map(({ label, entries }) => (
        <section key={label} className={css.area} aria-label={nameOf(label)}>
          {entries.map((entry) => (
            <RailItem key={entry.label} entry={entry} active={menu.isActive(entry)} />
          ))}
        </section>
      ))}
    </nav>
    <div className={css.top}>
      <ActionIcon aria-label={useFrameTexts.now().widen} onClick={widen}>
        <IconLayoutSidebarLeftExpand size={17} />
      </ActionIcon>
    </div>
  </>
)

const RailItem = ({ entry, active }: { entry: MenuEntry; active: boolean }) => (
  <Tooltip label={nameOf(entry.label)} position="right" openDelay={0}>
    <Link
      to={leaves([entry])[0]?.item.path ?? '/'}
      className={css.item}
      aria-label={`${initials(nameOf(entry.label))}, ${nameOf(entry.label)}`}
      aria-current={active ? 'page' : undefined}
      activeProps={{}}
    >
      <span className={css.tag} aria-hidden>
        {initials(nameOf(entry.label))}
      </span>
    </Link>
  </Tooltip>
)
