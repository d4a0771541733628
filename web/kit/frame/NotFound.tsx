import { Button, Kbd } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { Mono } from '../look/Mono.tsx'
import { EmptyState } from './emptyStates.tsx'
import { LinkButton } from './LinkTo.tsx'
import { Screen } from './Screen.tsx'
import { openSearch } from './search.ts'

export default function NotFound() {
  const { pathname } = useLocation()
  return (
    <Screen bare>
      <EmptyState
        order={1}
        title="Page not found"
        action={
          <>
            <LinkButton to="/" variant="default">
              Back to home
            </LinkButton>
            <Button onClick={openSearch} rightSection={<Kbd visibleFrom="sm">Ctrl K</Kbd>}>
              Search
            </Button>
          </>
        }
      >
        There is no page at <Mono c="var(--mantine-color-text)">{pathname}</Mono>. It may have been deleted, or the link
        is incomplete.
      </EmptyState>
    </Screen>
  )
}
