/* Passkeys: asks the browser to make one or to sign in with one, then sends its answer by the page's own form.
   Without this file the form stays hidden. */
"use strict";
const bytes = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), letter => letter.charCodeAt(0));
const words = buffer => btoa(Array.from(new Uint8Array(buffer), byte => String.fromCharCode(byte)).join(""))
  .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const known = list => (list || []).map(entry => ({ ...entry, id: bytes(entry.id) }));

/* The server's options with bytes in place of their text, and what the device answers to them. */
async function ask(kind, options) {
  const publicKey = { ...options, challenge: bytes(options.challenge) };
  if (kind === "get") {
    publicKey.allowCredentials = known(options.allowCredentials);
    return navigator.credentials.get({ publicKey });
  }
  publicKey.user = { ...options.user, id: bytes(options.user.id) };
  publicKey.excludeCredentials = known(options.excludeCredentials);
  return navigator.credentials.create({ publicKey });
}

function sendable(credential) {
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"])
    if (credential.response[name]) response[name] = words(credential.response[name]);
  return JSON.stringify({ id: credential.id, rawId: words(credential.rawId), type: credential.type, response, clientExtensionResults: {} });
}

function watch(form) {
  const says = form.querySelector("[data-says]");
  const tell = text => { says.textContent = text; says.hidden = !text; };
  form.hidden = false;
  if (!window.PublicKeyCredential) {
    form.querySelectorAll("button, input").forEach(part => { part.disabled = true; });
    return tell(form.dataset.unable);
  }
  form.addEventListener("submit", async event => {
    event.preventDefault();
    tell("");
    const sent = new FormData(form), name = document.querySelector("form:not([data-passkey]) [name=login]");
    if (form.dataset.passkey === "get" && name) sent.set("login", name.value);
    try {
      const answer = await fetch(form.dataset.options, { method: "POST", body: sent, headers: { Accept: "application/json" } });
      const options = await answer.json();
      if (!answer.ok) return tell(options.detail || form.dataset.failed);
      form.elements.credential.value = sendable(await ask(form.dataset.passkey, options));
      if (form.elements.password) form.elements.password.disabled = true;
      form.submit();
    } catch (error) {
      tell({ NotAllowedError: form.dataset.cancelled, InvalidStateError: form.dataset.known }[error.name] || form.dataset.failed);
    }
  });
}
document.querySelectorAll("form[data-passkey]").forEach(watch);
