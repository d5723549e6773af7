"""The paper's equations for one document, word by word in NumPy: slow, and nothing shared with the network."""

import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def weights(network):
    return {name: value.detach().double().numpy() for name, value in network.state_dict().items()}


def linear(w, name, x):
    return w[f"{name}.weight"] @ x + w.get(f"{name}.bias", 0)


def gru(w, name, x, h):
    """Cho et al.'s GRU with the reset gate applied after the matrix, as PyTorch has it."""
    i = w[f"{name}.weight_ih_l0"] @ x + w[f"{name}.bias_ih_l0"]
    g = w[f"{name}.weight_hh_l0"] @ h + w[f"{name}.bias_hh_l0"]
    n = len(h)
    r, z = sigmoid(i[:n] + g[:n]), sigmoid(i[n : 2 * n] + g[n : 2 * n])
    candidate = np.tanh(i[2 * n :] + r * g[2 * n :])
    return (1 - z) * candidate + z * h


def run(w, name, xs, h):
    states = []
    for x in xs:
        h = gru(w, name, x, h)
        states.append(h)
    return np.array(states)


def encode(w, source):
    """Equation 6: h_e (S, 2H), and its final states ⟨h_fwd^N, h_bwd^1⟩."""
    x = w["embedding.weight"][source]
    zeros = np.zeros(w["encoder.forwards.weight_hh_l0"].shape[1])
    forwards = run(w, "encoder.forwards", x, zeros)
    backwards = run(w, "encoder.backwards", x[::-1], zeros)[::-1]
    return np.hstack([forwards, backwards]), np.hstack([forwards[-1], backwards[0]])


def bridge(w, final):
    """Equation 8, or the released ReLU layer of each direction."""
    if "decoder.bridge.joint.weight" in w:
        return np.tanh(linear(w, "decoder.bridge.joint", final))
    halves = np.split(final, 2)
    return np.hstack([np.maximum(0, linear(w, f"decoder.bridge.halves.{i}", half)) for i, half in enumerate(halves)])


def attend(w, h_d, h_e, covered, generated):
    """Equations 9 and 10: L₂ on the concatenation ⟨h_d, h_e⟩ in one piece; a layer over h_d weighs generated words."""
    joint = np.hstack([w["decoder.attention.query.weight"], w["decoder.attention.key.weight"]])
    energies = []
    for i, h in enumerate(h_e):
        inner = joint @ np.hstack([h_d, h]) + w["decoder.attention.query.bias"]
        if covered is not None:
            inner = inner + w["pieces.coverage.energy.weight"][:, 0] * covered[i]
        energies.append(w["decoder.attention.squash.weight"][0] @ np.tanh(inner))
        if generated is not None and generated[i]:
            energies[i] += linear(w, "pieces.generated_words.gate", h_d)[0]
    return softmax(np.array(energies))


def read_out(w, x, h_d, context):
    """The inner part of equation 11, or the released context gate."""
    joint = linear(w, "decoder.readout.joint", np.hstack([h_d, context]))
    if "decoder.readout.gate.gate.weight" not in w:
        return np.tanh(joint)
    target = np.hstack([x, h_d])
    z = sigmoid(linear(w, "decoder.readout.gate.gate", np.hstack([target, joint])))
    return np.tanh(
        (1 - z) * linear(w, "decoder.readout.gate.target", target) + z * linear(w, "decoder.readout.gate.seen", joint)
    )


def switch(w, h_d, context, readout):
    """Equation 13, or the released single layer."""
    if "pointer.switch.context.weight" not in w:
        return sigmoid(linear(w, "pointer.switch.squash", readout)[0])
    inner = linear(w, "pointer.switch.context", context) + linear(w, "pointer.switch.state", h_d)
    return sigmoid(linear(w, "pointer.switch.squash", np.tanh(inner))[0])


def decode(w, settings, source, source_extended, target_input, size):
    """Equations 1 and 7–13: p over the extended vocabulary (T, size), h_d (T, H) and h_SC (T, Ht).

    `source` is of words that the network knows, `target_input` of extended ids.
    """
    h_e, final = encode(w, source)
    h_d = bridge(w, final)
    fed = np.zeros(settings.output_size) if settings.input_feeding else None
    covered = np.zeros(len(source)) if settings.coverage else None
    h_sc = None
    if settings.target_encoder:
        h_sc = h_d if settings.target_encoder_start == "source" else np.zeros(settings.target_encoder_size)
    probabilities, states, target_states = [], [], []
    for step, token in enumerate(target_input):
        embedded = w["embedding.weight"][token if token < len(w["embedding.weight"]) else 1]
        if h_sc is not None:
            h_sc = gru(w, "pieces.target_encoder.gru", embedded, h_sc)
            target_states.append(h_sc)
        x = np.hstack([part for part in (embedded, h_sc, fed) if part is not None])
        h_d = gru(w, "decoder.gru", x, h_d)
        seen = target_input[: step + 1]
        generated = [word in seen for word in source_extended] if settings.generated_words else None
        alpha = attend(w, h_d, h_e, covered, generated)
        context = alpha @ h_e
        readout = read_out(w, x, h_d, context)
        s = switch(w, h_d, context, readout)
        p = np.zeros(size)
        p_a = softmax(linear(w, "pointer.vocabulary", readout))
        p[: len(p_a)] = s * p_a
        for word, importance in zip(source_extended, alpha, strict=True):
            p[word] += (1 - s) * importance
        probabilities.append(p)
        states.append(h_d)
        fed = readout if fed is not None else None
        covered = covered + alpha if covered is not None else None
    return np.array(probabilities), np.array(states), np.array(target_states)
