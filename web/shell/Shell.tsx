import '../kit/frame/shell.css'
import { missing } from '@innkeeper/contract/kit/access'
import { Drawer } from '@mantine/core'
import { useDisclosure, useHotkeys, useLocalStorage } from '@mantine/hooks'
import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { Fragment, useEffect } from 'react'
import { ElevationBar } from '../access/elevations/ElevationBar.tsx'
import { arrivals } from '../access/notifications/arrivals.ts'
import { useSession } from '../kit/access/session.ts'
import { listen } from '../kit/api/live.ts'
import { queryClient } from '../kit/api/queries.ts'
import { preloadHosts } from '../kit/dialogs/Hosts.tsx'
import { createButton, useKeys } from '../kit/frame/keys.ts'
import { lazyDialog } from '../kit/frame/lazyScreen.tsx'
import { nameOf, stateNames } from '../kit/frame/names.ts'
import { focusRow } from '../kit/list/useRowKeys.ts'
import { useLocale } from '../kit/look/locale.ts'
import { useZone } from '../kit/look/zone.ts'
import { german } from '../names.ts'
import { Forbidden } from './Forbidden.tsx'
import { Header } from './header/Header.tsx'
import { Keyboard } from './Keyboard.tsx'
import { Sidebar } from './menu/Sidebar.tsx'
import { useMenu } from './menu/useMenu.ts'
import css from './Shell.module.css'
import { SearchBox } from './search/SearchBox.tsx'
import { useFrameTexts } from './texts.ts'

stateNames(german)

const QuickAdd = lazyDialog<{ close: () => void }>(() => import('../desk/trackers/QuickAdd.tsx'))

/** The menu, the header and the area of the page, for a signed-in person. */
export default function Shell() {
  useEffect(() => listen(queryClient, arrivals), [])
  useEffect(preloadHosts, [])
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
    </QueryClientProvider>
  )
}

function Frame() {
  const menu = useMenu()
  const words = useFrameTexts()
  const [rail, setRail] = useLocalStorage({
    key: 'innkeeper.rail',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const [drawer, drawerActs] = useDisclosure()
  const [help, helpActs] = useDisclosure()
  const pathname = useLocation({ select: (location) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the drawer
  useEffect(drawerActs.close, [pathname])
  const [adding, addingActs] = useDisclosure()
  useKeys([['shift+?', helpActs.toggle]])
  useHotkeys([
    ['c', () => (createButton() ?? { click: addingActs.open }).click()],
    ['shift+c', addingActs.open],
  ])

  return (
    <>
      <a className={css.skip} href="#content">
        {words.skipToContent}
      </a>
      <button type="button" className={`${css.skip} ${css.toRows}`} onClick={toRows}>
        {words.skipToRows}
      </button>
      <SearchBox menu={menu} />
      <Keyboard opened={help} close={helpActs.close} />
      {adding && <QuickAdd close={addingActs.close} />}
      <Drawer
        opened={drawer}
        onClose={drawerActs.close}
        size={276}
        withCloseButton={false}
        padding={0}
        title={words.menu}
        classNames={{ body: css.drawer, content: css.drawerContent, header: css.drawerHeader }}
      >
        <Sidebar menu={menu} />
      </Drawer>
      <div className={css.desk}>
        <aside className={css.aside} data-rail={rail || undefined} aria-label={words.menu}>
          <Sidebar menu={menu} rail={rail} setRail={setRail} />
        </aside>
        <div className={css.sheet}>
          <header className={css.header}>
            <Header menu={menu} drawer={drawer} toggleDrawer={drawerActs.toggle} openHelp={helpActs.open} />
          </header>
          <main className={css.main} id="content" tabIndex={-1}>
            <Place />
          </main>
          <ElevationBar />
        </div>
      </div>
    </>
  )
}

/** Focuses the first row of the list. */
function toRows(): void {
  const row = document.querySelector<HTMLTableRowElement>('[data-rows] > tbody > tr')
  if (row) focusRow(row)
}

/** The open screen, or the permissions that its calls lack. */
function Place() {
  const user = useSession()
  const place = useMatches({ select: (matches) => matches.at(-1)?.staticData.place })
  const zone = useZone()
  const { language, region, firstDay } = useLocale()
  const lacks = missing(user, place?.needs ?? 'signedIn')
  if (place && lacks.length) return <Forbidden title={nameOf(place.title)} lacks={lacks} />
  return (
    <Fragment key={`${zone} ${language} ${region} ${firstDay}`}>
      <Outlet />
    </Fragment>
  )
}
