import { Button, Kbd } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { EmptyState } from '../kit/frame/emptyStates.tsx'
import { LinkButton } from '../kit/frame/LinkTo.tsx'
import { Screen } from '../kit/frame/Screen.tsx'
import { Mono } from '../kit/look/Mono.tsx'
import { openSearch } from '../shell/search.ts'

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
        Nothing hangs at <Mono c="var(--mantine-color-text)">{pathname}</Mono>. It may have been deleted, or the link
        lost a piece.
      </EmptyState>
    </Screen>
  )
}
