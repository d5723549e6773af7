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


def both_ways(w, name, x):
    """Two GRUs, one for each direction: states (S, 2H), and the last of each."""
    zeros = np.zeros(w[f"{name}.forwards.weight_hh_l0"].shape[1])
    forwards, backwards = run(w, f"{name}.forwards", x, zeros), run(w, f"{name}.backwards", x[::-1], zeros)[::-1]
    return np.hstack([forwards, backwards]), np.hstack([forwards[-1], backwards[0]])


def encode(w, settings, source, inputs):
    """Equation 6: h_e (S, 2H), and its final states ⟨h_fwd^N, h_bwd^1⟩; then what pieces make of them."""
    if settings.word_graph:
        return graph(w, settings, w["embedding.weight"][source], inputs["near"])
    states, final = both_ways(w, "encoder", w["embedding.weight"][source])
    if settings.title_guide:
        states, final = guide(w, settings, states, inputs["title"])
    return tagged(w, states, final, inputs["tags"]) if settings.tags else (states, final)


def guide(w, settings, u, title):
    """TG-Net: every word's state u_i meets the title's v_j; λ of the result is u_i itself."""
    merging = []
    v = both_ways(w, "pieces.title_guide.title", w["embedding.weight"][title])[0] if title else None
    for u_i in u:
        g = np.zeros_like(u_i)
        if title:
            energies = np.array([u_i @ w["pieces.title_guide.match.weight"] @ v_j for v_j in v])
            g = softmax(energies) @ v
        merging.append(np.hstack([u_i, g]))
    m, final = both_ways(w, "pieces.title_guide.merge", merging)
    return settings.title_weight * u + (1 - settings.title_weight) * m, final


def tagged(w, h_e, final, tags):
    """ParaNet: the states of words merged with those of their tags."""
    h_g, final_g = both_ways(w, "pieces.tags.encoder", w["pieces.tags.embedding.weight"][tags])
    merged = [merge(w, words, of_tags) for words, of_tags in zip(h_e, h_g, strict=True)]
    return np.array(merged), merge(w, final, final_g)


def extract(w, h_e):
    """KG-KE: the probability of each source word to be one of a keyphrase."""
    hidden = [np.tanh(linear(w, "pieces.extractor.hidden", h)) for h in h_e]
    return np.array([sigmoid(linear(w, "pieces.extractor.output", f)[0]) for f in hidden])


def copying(w, settings, alpha, h_e):
    """α as the pointer copies by it: rescaled by the extractor, if there is one."""
    p = extract(w, h_e) if settings.extractor else 1
    return alpha * p / (alpha * p).sum()


def retrieve(w, h_d, phrases):
    """KG-KR: the mean of the states of retrieved words, weighed by γ = softmax(r_j · W h_d); 0 without any."""
    if not phrases:
        return np.zeros(2 * len(w["pieces.retrieved.encoder.forwards.weight_hh_l0"][0]))
    r = both_ways(w, "pieces.retrieved.encoder", w["embedding.weight"][phrases])[0]
    return softmax(np.array([h_d @ w["pieces.retrieved.match.weight"] @ r_j for r_j in r])) @ r


def merge(w, h_w, h_g):
    """ParaNet: a tanh layer, or a node of a binary tree-LSTM."""
    name, both = "pieces.tags.merge", np.hstack([h_w, h_g])
    if f"{name}.joint.weight" in w:
        return np.tanh(linear(w, f"{name}.joint", both))
    i, f_w, f_g, o = np.split(sigmoid(linear(w, f"{name}.gates", both)), 4)
    return o * np.tanh(i * np.tanh(linear(w, f"{name}.candidate", both)) + f_w * h_w + f_g * h_g)


def tag_loss(w, h_e, final, targets):
    """ParaNet's tag decoder: −Σ log p of the tags of one target, its end (3) included; <s> is 2."""
    name, total = "pieces.tags.decoder", 0.0
    h = np.tanh(linear(w, f"{name}.bridge", final))
    for before, after in zip([2, *targets], [*targets, 3], strict=True):
        h = gru(w, f"{name}.gru", w["pieces.tags.embedding.weight"][before], h)
        keys = [linear(w, f"{name}.attention.query", h) + linear(w, f"{name}.attention.key", one) for one in h_e]
        alpha = softmax(np.array([w[f"{name}.attention.squash.weight"][0] @ np.tanh(key) for key in keys]))
        total -= np.log(softmax(linear(w, f"{name}.output", np.hstack([h, alpha @ h_e])))[after])
    return total


def graph(w, settings, x, near):
    """DivGraphPointer: f(H)_i = Σ_j Â→_ij W→ H_j + Σ_j Â←_ij W← H_j + W H_i + b, and its gate; c without the ends."""
    count, size = len(x), 2 * settings.encoder_size
    h = np.array([linear(w, "pieces.word_graph.first", one) for one in x])
    scaled = []
    for a in (near, near.T):
        looped = a + np.eye(count)
        degree = looped.sum(axis=1)
        scaled.append([[looped[i, j] / np.sqrt(degree[i] * degree[j]) for j in range(count)] for i in range(count)])
    for number in range(settings.word_graph):
        weight, bias = (w[f"pieces.word_graph.layers.{number}.{part}"] for part in ("weight", "bias"))
        later, earlier, own = np.split(weight, 3, axis=1)
        following = []
        for i in range(count):
            total = own @ h[i] + bias
            for j in range(count):
                total = total + scaled[0][i][j] * (later @ h[j]) + scaled[1][i][j] * (earlier @ h[j])
            following.append(h[i] + total[:size] * sigmoid(total[size:]))
        h = np.array(following)
    return h, h[:-2].sum(axis=0) / max(1, count - 2)


def bridge(w, final):
    """Equation 8, or the released ReLU layer of each direction."""
    if "decoder.bridge.joint.weight" in w:
        return np.tanh(linear(w, "decoder.bridge.joint", final))
    halves = np.split(final, 2)
    return np.hstack([np.maximum(0, linear(w, f"decoder.bridge.halves.{i}", half)) for i, half in enumerate(halves)])


def attend(w, h_d, h_e, covered, generated, counts=None):
    """Equations 9 and 10: L₂ on the concatenation ⟨h_d, h_e⟩ in one piece; a layer over h_d weighs generated words."""
    joint = np.hstack([w["decoder.attention.query.weight"], w["decoder.attention.key.weight"]])
    energies = []
    for i, h in enumerate(h_e):
        inner = joint @ np.hstack([h_d, h]) + w["decoder.attention.query.bias"]
        if covered is not None:
            inner = inner + w["pieces.coverage.energy.weight"][:, 0] * covered[i]
        if counts is not None:
            inner = inner + w["pieces.generated_counts.energy.weight"][:, 0] * counts[i]
        energies.append(w["decoder.attention.squash.weight"][0] @ np.tanh(inner))
        if generated is not None and generated[i]:
            energies[i] += linear(w, "pieces.generated_words.gate", h_d)[0]
    return softmax(np.array(energies))


def review(w, h_d, past):
    """CorrRNN: the mean of the states before this one, weighed by an additive attention."""
    query = linear(w, "pieces.review.query", h_d)
    energies = [w["pieces.review.squash.weight"][0] @ np.tanh(query + linear(w, "pieces.review.key", h)) for h in past]
    return softmax(np.array(energies)) @ np.array(past)


def read_out(w, x, h_d, *seen):
    """The inner part of equation 11, or the released context gate."""
    joint = linear(w, "decoder.readout.joint", np.hstack([h_d, *seen]))
    if "decoder.readout.gate.gate.weight" not in w:
        return np.tanh(joint)
    target = np.hstack([x, h_d])
    z = sigmoid(linear(w, "decoder.readout.gate.gate", np.hstack([target, joint])))
    return np.tanh(
        (1 - z) * linear(w, "decoder.readout.gate.target", target) + z * linear(w, "decoder.readout.gate.seen", joint)
    )


def switch(w, h_d, context, readout):
    """Equation 13, or the released single layer."""
    if "pointer.switch.squash.weight" not in w:
        return 0.0  # a pointer alone
    if "pointer.switch.context.weight" not in w:
        return sigmoid(linear(w, "pointer.switch.squash", readout)[0])
    inner = linear(w, "pointer.switch.context", context) + linear(w, "pointer.switch.state", h_d)
    return sigmoid(linear(w, "pointer.switch.squash", np.tanh(inner))[0])


def decode(w, settings, source, source_extended, target_input, size, inputs):
    """Equations 1 and 7–13: p over the extended vocabulary (T, size), h_d (T, H) and h_SC (T, Ht).

    `source` is of words that the network knows, `target_input` of extended ids, `inputs` are further ones.
    """
    h_e, final = encode(w, settings, source, inputs)
    h_d = bridge(w, final)
    fed = np.zeros(settings.output_size) if settings.input_feeding else None
    covered = np.zeros(len(source)) if settings.coverage else None
    h_sc = None
    if settings.target_encoder:
        h_sc = h_d if settings.target_encoder_start == "source" else np.zeros(settings.target_encoder_size)
    first = h_d
    probabilities, states, target_states = [], [], []
    for step, token in enumerate(target_input):
        if settings.restart and token == 4:
            h_d, token = first, 2  # noqa: PLW2901
        new = np.zeros(settings.embedding_size)
        if settings.document_vector:
            said = [word for word in target_input[1 : step + 1] if word in source_extended and word > 4]
            means = [np.mean([h_e[i] for i, one in enumerate(source_extended) if one == word], axis=0) for word in said]
            about = np.hstack([final, np.mean(means, axis=0) if said else np.zeros_like(final)])
            if token in (2, 4):
                new = linear(w, "pieces.document_vector.input", about)
            if token == 4:
                h_d = np.tanh(linear(w, "pieces.document_vector.state", about))
        embedded = w["embedding.weight"][token if token < len(w["embedding.weight"]) else 1]
        if h_sc is not None:
            h_sc = gru(w, "pieces.target_encoder.gru", embedded, h_sc)
            target_states.append(h_sc)
        x = np.hstack([part for part in (embedded, h_sc, fed) if part is not None])
        x = np.hstack([x, new]) if settings.document_vector else x
        h_d = gru(w, "decoder.gru", x, h_d)
        seen = target_input[: step + 1]
        generated = [word in seen for word in source_extended] if settings.generated_words else None
        counts = None
        if settings.generated_counts:
            counts = [seen.count(word) if word > 4 else 0 for word in source_extended]
        alpha = attend(w, h_d, h_e, covered, generated, counts)
        context = alpha @ h_e
        further = [review(w, h_d, [first, *states])] if settings.review else []
        further += [retrieve(w, h_d, inputs["retrieved"])] if settings.retrieved else []
        readout = read_out(w, x, h_d, context, *further)
        s = switch(w, h_d, context, readout)
        p = np.zeros(size)
        p_a = softmax(linear(w, "pointer.vocabulary", readout))
        p[: len(p_a)] = s * p_a
        for word, importance in zip(source_extended, copying(w, settings, alpha, h_e), strict=True):
            p[word] += (1 - s) * importance
        probabilities.append(p)
        states.append(h_d)
        fed = readout if fed is not None else None
        covered = covered + alpha if covered is not None else None
    return np.array(probabilities), np.array(states), np.array(target_states)
