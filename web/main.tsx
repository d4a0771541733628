import './jitless.ts'
import './mantine.css'
import './base.css'
import './controls.css'
import { MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { Gate } from './Gate.tsx'
import { colourScheme } from './kit/colourScheme.ts'
import { Hosts } from './kit/Hosts.tsx'
import { keepStylesheets } from './kit/stylesheets.ts'
import { theme } from './theme.ts'
import { cssVariablesResolver } from './variables.ts'

keepStylesheets()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    colorSchemeManager={colourScheme}
    defaultColorScheme="auto"
  >
    <Gate />
    <Hosts />
  </MantineProvider>,
)
