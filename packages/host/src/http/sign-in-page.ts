/**
 * The pages before the console: signing in by password or by a printed link. Plain HTML that works without a script where it
 * can (the link), in the console's colours, theme and languages.
 */

/** What a page before signing in may load: its own style and script; forms only to this host. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // Not `no-referrer`: browsers then send `Origin: null` with the form, which the doors refuse.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

/** Nobody is signed in: the password, or how to get a link. The address stays, so that one lands where one wanted to go. */
export const signInPage = (): string =>
  page(`<h1 data-text="signIn">Sign in</h1>
<form id="by-password" method="post" action="/api/v1/session">
<input type="hidden" name="username" autocomplete="username" value="owner">
<label for="password" data-text="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus aria-describedby="refused">
<p id="refused" role="alert" hidden></p>
<button type="submit" data-text="signIn">Sign in</button>
</form>
<h2 data-text="orLink">Or by a link</h2>
<p data-text="linkAbout">No password yet? Print a link where the host runs; it signs you in once.</p>
<pre>runbound login</pre>
<p data-text="inClone">In a clone of the repository:</p>
<pre>bin/runbound login</pre>`)

/** A printed link was opened: only its form uses it up. */
export const linkPage = (token: string): string =>
  page(`<h1>Runbound</h1>
<form id="by-link" method="post" action="/login/${token}"><button type="submit" data-text="signIn">Sign in</button></form>`)

/** A link that was used, or is too old. */
export const expiredPage = (): string =>
  page(`<h1 data-text="expired">This link no longer works</h1>
<p data-text="expiredAbout">A sign-in link works once, for 15 minutes. Print a new one where the host runs:</p>
<pre>runbound login</pre>
<p><a href="/" data-text="toSignIn">Sign in by password</a></p>`)

const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Runbound</title><link rel="stylesheet" href="/login.css"><script src="/login.js"></script></head><body><main>${body}</main></body></html>`

/** The script of these pages: theme and language at once, then the forms. */
export const SIGN_IN_SCRIPT = `const stored = (name) => { try { return localStorage.getItem(name) } catch { return null } }
const theme = stored('runbound-theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
const TEXTS = {
  'zh-Hans': { signIn: '登录', password: '密码', orLink: '或使用链接', linkAbout: '还没有密码？在运行主机的地方打印一个链接，它可以让您登录一次。', inClone: '在仓库的克隆中：', expired: '此链接已失效', expiredAbout: '登录链接只能使用一次，有效期 15 分钟。请在运行主机的地方重新打印：', toSignIn: '使用密码登录', unreachable: '主机没有响应。请稍后重试。' },
  ja: { signIn: 'サインイン', password: 'パスワード', orLink: 'またはリンクで', linkAbout: 'パスワードがまだないときは、ホストの動いている場所でリンクを表示します。一度だけサインインできます。', inClone: 'リポジトリのクローンの中で:', expired: 'このリンクはもう使えません', expiredAbout: 'サインイン用のリンクは 15 分間、一度だけ使えます。ホストの動いている場所で新しく表示してください:', toSignIn: 'パスワードでサインイン', unreachable: 'ホストが応答しません。もう一度お試しください。' },
}
const wanted = stored('runbound-language') ?? navigator.languages.find((one) => /^(en|zh|ja)/.test(one)) ?? 'en'
const language = wanted.startsWith('zh') ? 'zh-Hans' : wanted.startsWith('ja') ? 'ja' : 'en'
const texts = TEXTS[language] ?? {}
addEventListener('DOMContentLoaded', () => {
  document.documentElement.lang = language
  for (const node of document.querySelectorAll('[data-text]')) node.textContent = texts[node.dataset.text] ?? node.textContent
  document.querySelector('#by-link')?.requestSubmit()
  const form = document.querySelector('#by-password')
  form?.addEventListener('submit', async (event) => {
    event.preventDefault()
    const [field, button, refused] = [form.querySelector('#password'), form.querySelector('button'), form.querySelector('#refused')]
    const refuse = (text) => {
      refused.textContent = text
      refused.hidden = false
      field.setAttribute('aria-invalid', 'true')
      field.select()
    }
    button.disabled = true
    try {
      const answer = await fetch('/api/v1/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ password: field.value }),
      })
      if (answer.ok) return location.reload()
      const { error } = await answer.json()
      refuse(error.message)
    } catch {
      refuse(texts.unreachable ?? 'The host does not answer. Try again.')
    } finally {
      button.disabled = false
    }
  })
})
`

/** Their style: the console's colours and sizes. */
export const SIGN_IN_STYLE = `:root{color-scheme:light dark;--ground:light-dark(#f7f8fa,#14161b);--card:light-dark(#fff,#1a1d23);--line:light-dark(#e3e6eb,#2b303a);--edge:light-dark(#848c9a,#737c8c);--ink:light-dark(#191c22,#e8eaee);--soft:light-dark(#5a6270,#a3abb8);--accent:light-dark(#4353d9,#8d99ff);--on-accent:light-dark(#fff,#10131f);--danger:light-dark(#b3261e,#ff8a80)}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}body{margin:0;min-height:100dvh;display:grid;place-items:center;padding:16px;font:14px/20px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;background:var(--ground);color:var(--ink)}
main{width:min(400px,100%);padding:24px;border:1px solid var(--line);border-radius:12px;background:var(--card)}
h1{font-size:20px;line-height:28px;margin:0 0 16px}h2{font-size:14px;margin:24px 0 4px;padding-top:20px;border-top:1px solid var(--line)}p{margin:0 0 8px;color:var(--soft)}
pre{margin:0 0 8px;padding:8px 12px;border:1px solid var(--line);border-radius:6px;background:var(--ground);overflow:auto;font:12px/16px ui-monospace,Menlo,Consolas,monospace}
form{display:flex;flex-direction:column;gap:4px}label{font-weight:500}input{font:inherit;height:36px;padding:0 8px;border:1px solid var(--edge);border-radius:6px;background:var(--card);color:inherit}input[aria-invalid=true]{border-color:var(--danger)}
#refused{margin:0;color:var(--danger)}[hidden]{display:none}button{font:inherit;font-weight:500;height:36px;margin-top:8px;border:0;border-radius:6px;background:var(--accent);color:var(--on-accent);cursor:pointer}button:disabled{opacity:.55}
a{color:var(--accent)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media(max-width:760px){input{font-size:16px;height:44px}button{height:44px}}
`
