import './jitless.ts'
import './mantine.css'
import './base.css'
import './controls.css'
import { MantineProvider } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { colourScheme } from './kit/colourScheme.ts'
import { followSession } from './kit/guard.ts'
import { router } from './routes.tsx'
import { theme } from './theme.ts'
import { cssVariablesResolver } from './variables.ts'

followSession(router)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    colorSchemeManager={colourScheme}
    defaultColorScheme="auto"
  >
    <RouterProvider router={router} />
  </MantineProvider>,
)
