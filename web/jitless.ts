import * as z from 'zod'

// The page's Content-Security-Policy forbids eval; zod would try it once and the browser would log an error.
z.config({ jitless: true })
