/* A soft tone when it is somebody else's turn, or a double waits: only where the device wishes it,
   and only on the table page. Browsers let sound begin after the first touch. */
(function () {
  "use strict";
  const Sound = window.AudioContext || window.webkitAudioContext;
  if (!Sound || !window.MutationObserver) return;

  let sound = null;
  function wake() {
    sound = sound || new Sound();
    if (sound.state === "suspended") sound.resume();
  }
  document.addEventListener("click", wake, true);
  document.addEventListener("keydown", wake, true);

  function said() {
    const words = document.querySelector("#state [data-sound]");
    return words ? words.getAttribute("data-sound") : "";
  }

  function tone() {
    if (!sound || sound.state !== "running") return;
    const now = sound.currentTime;
    const loud = sound.createGain();
    const voice = sound.createOscillator();
    voice.frequency.value = 528;
    loud.gain.setValueAtTime(0.0001, now);
    loud.gain.linearRampToValueAtTime(0.12, now + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.0001, now + 0.35);
    voice.connect(loud);
    loud.connect(sound.destination);
    voice.start(now);
    voice.stop(now + 0.4);
  }

  let before = said();
  new MutationObserver(function () {
    const now = said();
    if (now && now !== before) tone();
    before = now;
  }).observe(document.body, { childList: true, subtree: true });
})();
