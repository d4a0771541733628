import { ensureDirectory, places, replace } from '../../kit/host.ts'

const page = (title: string, text: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
  :root { color-scheme: light dark }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 17px/1.6 system-ui, sans-serif;
    color: light-dark(#26302b, #dfe6e2); background: light-dark(#f6f7f5, #171b19) }
  main { max-width: 30rem; padding: 2rem }
  h1 { margin: 0 0 .5rem; font-size: 1.6rem; line-height: 1.25; font-weight: 600; text-wrap: balance }
  p { margin: 0; color: light-dark(#56615b, #a3ada8); text-wrap: pretty }
</style>
<main>
  <h1>${title}</h1>
  <p>${text}</p>
</main>
</html>
`

/** Pages shown instead of a website. They are self-contained: no other file, no script, no brand. */
const pages = {
  suspended: page(
    'This website is suspended',
    'It is not available at the moment. If it is yours, please contact your hosting provider.',
  ),
  moving: page('Back in a moment', 'This website is moving to another server. It takes a few seconds.'),
  maintenance: page('Back in a moment', 'This website is being worked on and will be back shortly.'),
}

/** Writes all pages, and the robots.txt of staging copies. */
export async function writePages(): Promise<void> {
  await ensureDirectory(places.pages)
  for (const [name, text] of Object.entries(pages)) await replace(`${places.pages}/${name}.html`, text)
  await replace(`${places.pages}/robots.txt`, 'User-agent: *\nDisallow: /\n')
}
