// Before the first paint: the theme that this browser was told last, so that a dark page does not begin white.
const told = localStorage.getItem('innkeeper.theme')
const dark = told === 'dark' || (told !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
